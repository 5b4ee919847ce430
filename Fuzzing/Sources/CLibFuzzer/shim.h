#include <stddef.h>
#include <stdint.h>

// libFuzzer has no header that declares this function.
int LLVMFuzzerRunDriver(
    int *_Nonnull count, char *_Nullable *_Nullable *_Nonnull arguments,
    int (*_Nonnull target)(const uint8_t *_Nullable bytes, size_t count));
