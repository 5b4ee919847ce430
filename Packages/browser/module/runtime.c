// The C library functions that Embedded Swift needs.

#include <stddef.h>
#include <stdint.h>

extern unsigned char __heap_base;
static uintptr_t next_free = (uintptr_t)&__heap_base;

// Memory is never freed, because a page creates a new instance for each use.
int posix_memalign(void **pointer, size_t alignment, size_t count) {
  uintptr_t start = (next_free + alignment - 1) & ~(alignment - 1);
  uintptr_t end = start + count;
  uintptr_t available = (uintptr_t)__builtin_wasm_memory_size(0) << 16;
  if (end > available && __builtin_wasm_memory_grow(0, (end - available + 65535) >> 16) == -1)
    return 12;  // ENOMEM
  next_free = end;
  *pointer = (void *)start;
  return 0;
}

void free(void *pointer) { (void)pointer; }

// Returns zeros, because the module does not hash untrusted input.
void arc4random_buf(void *bytes, size_t count) { __builtin_memset(bytes, 0, count); }

int putchar(int character) { return character; }

float roundf(float value) {
  float whole = __builtin_truncf(value);
  return __builtin_fabsf(value - whole) >= 0.5f ? whole + __builtin_copysignf(1, value) : whole;
}

double round(double value) {
  double whole = __builtin_trunc(value);
  return __builtin_fabs(value - whole) >= 0.5 ? whole + __builtin_copysign(1, value) : whole;
}

// Returns the product of two 128-bit integers, from products of 32-bit parts.
unsigned __int128 __multi3(unsigned __int128 left, unsigned __int128 right) {
  uint64_t a = (uint64_t)left, b = (uint64_t)right;
  uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
  uint64_t middle = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
  uint64_t other = (a & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);
  uint64_t high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32) +
                  (uint64_t)(left >> 64) * b + a * (uint64_t)(right >> 64);
  return (unsigned __int128)high << 64 | (other << 32 | (low & UINT32_MAX));
}

void *memcpy(void *to, const void *from, size_t count) {
  return __builtin_memcpy(to, from, count);
}

void *memmove(void *to, const void *from, size_t count) {
  return __builtin_memmove(to, from, count);
}

void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *a = left, *b = right;
  for (size_t index = 0; index < count; index++)
    if (a[index] != b[index]) return a[index] - b[index];
  return 0;
}
