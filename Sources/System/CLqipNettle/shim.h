#include <nettle/base16.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
