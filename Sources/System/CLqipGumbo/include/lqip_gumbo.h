// HTML pages, parsed by Gumbo.

#ifndef LQIP_GUMBO_H
#define LQIP_GUMBO_H

#include <gumbo.h>

#define GUMBO_FUNCTIONS(each) each(gumbo_parse_with_options)

typedef struct {
#define GUMBO_FIELD(name) __typeof__(&name) _Nonnull name;
  GUMBO_FUNCTIONS(GUMBO_FIELD)
} lqip_gumbo_functions;

/// Returns the functions of Gumbo, loading it if necessary; null if it cannot be loaded.
const lqip_gumbo_functions *_Nullable lqip_gumbo(void);

/// The memory of one tree.
typedef struct {
  void *_Nullable blocks;
  char *_Nullable next;
  size_t left;
} lqip_arena;

/// Parses a page, which must outlive the tree; null if Gumbo cannot be loaded. If memory runs out, the process ends.
GumboOutput *_Nullable lqip_parse_page(
    const char *_Nonnull text, size_t length, lqip_arena *_Nonnull arena);

/// Frees the tree. Gumbo's own function calls itself once for each level of the tree.
void lqip_free_arena(lqip_arena *_Nonnull arena);

#endif
