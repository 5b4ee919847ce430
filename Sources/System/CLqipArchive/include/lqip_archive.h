// The libarchive functions in use.

#ifndef LQIP_ARCHIVE_H
#define LQIP_ARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

#define ARCHIVE_FUNCTIONS(each) \
  each(archive_read_new) each(archive_read_free) each(archive_read_support_filter_bzip2) \
  each(archive_read_support_filter_gzip) each(archive_read_support_filter_xz) \
  each(archive_read_support_filter_zstd) each(archive_bzlib_version) \
  each(archive_liblzma_version) each(archive_libzstd_version) each(archive_zlib_version) \
  each(archive_read_support_format_tar) each(archive_read_set_options) \
  each(archive_read_open_fd) each(archive_read_next_header) \
  each(archive_read_header_position) each(archive_read_data) each(archive_filter_bytes) \
  each(archive_errno) each(archive_error_string) each(archive_entry_hardlink) \
  each(archive_entry_pathname) each(archive_entry_stat)

typedef struct {
#define ARCHIVE_FIELD(name) __typeof__(&name) _Nonnull name;
  ARCHIVE_FUNCTIONS(ARCHIVE_FIELD)
} lqip_archive_functions;

/// Returns the functions of libarchive, loading it if necessary; null if it cannot be loaded.
const lqip_archive_functions *_Nullable lqip_archive(void);

#endif
