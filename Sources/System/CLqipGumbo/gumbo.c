#include <stdlib.h>

#include "codec_library.h"
#include "lqip_gumbo.h"

CODEC_LIBRARY(lqip_gumbo_functions, lqip_gumbo, "libgumbo.so.1", GUMBO_FUNCTIONS)

enum { block_size = 1 << 18, alignment = 16 };

static void *allocate(void *userdata, size_t size) {
  lqip_arena *arena = userdata;
  size = (size + alignment - 1) & ~(size_t)(alignment - 1);
  if (size > arena->left) {
    const size_t capacity = size > block_size ? size : block_size;
    char *block = malloc(alignment + capacity);
    // Gumbo does not check for null.
    if (!block) abort();
    *(void **)block = arena->blocks;
    arena->blocks = block;
    arena->next = block + alignment;
    arena->left = capacity;
  }
  void *memory = arena->next;
  arena->next += size;
  arena->left -= size;
  return memory;
}

static void keep(void *userdata, void *memory) {
  (void)userdata;
  (void)memory;
}

GumboOutput *lqip_parse_page(const char *text, size_t length, lqip_arena *arena) {
  const lqip_gumbo_functions *gumbo = lqip_gumbo();
  if (!gumbo) return NULL;
  const GumboOptions options = {
      .allocator = allocate,
      .deallocator = keep,
      .userdata = arena,
      .tab_stop = 8,
      .fragment_context = GUMBO_TAG_LAST,
  };
  return gumbo->gumbo_parse_with_options(&options, text, length);
}

void lqip_free_arena(lqip_arena *arena) {
  while (arena->blocks) {
    void *block = arena->blocks;
    arena->blocks = *(void **)block;
    free(block);
  }
  arena->left = 0;
}
