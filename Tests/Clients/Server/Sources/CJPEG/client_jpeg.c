#include "client_jpeg.h"

int client_jpeg(void) {
  return 1;
}
