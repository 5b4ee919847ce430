#include "client_png.h"

int client_png(void) {
  return 1;
}
