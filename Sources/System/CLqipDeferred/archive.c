#include "deferred.h"

#ifdef __linux__

#include <archive.h>
#include <archive_entry.h>

#define LIBRARY "libarchive.so.13"
#define ARCHIVE struct archive *archive

DEFER(struct archive *, archive_read_new, (void), ())
DEFER(int, archive_read_free, (ARCHIVE), (archive))
DEFER(int, archive_read_support_filter_bzip2, (ARCHIVE), (archive))
DEFER(int, archive_read_support_filter_gzip, (ARCHIVE), (archive))
DEFER(int, archive_read_support_filter_xz, (ARCHIVE), (archive))
DEFER(int, archive_read_support_filter_zstd, (ARCHIVE), (archive))
DEFER(const char *, archive_bzlib_version, (void), ())
DEFER(const char *, archive_liblzma_version, (void), ())
DEFER(const char *, archive_libzstd_version, (void), ())
DEFER(const char *, archive_zlib_version, (void), ())
DEFER(int, archive_read_support_format_tar, (ARCHIVE), (archive))
DEFER(int, archive_read_set_options, (ARCHIVE, const char *options), (archive, options))
DEFER(int, archive_read_open_fd, (ARCHIVE, int fd, size_t size), (archive, fd, size))
DEFER(
    int, archive_read_next_header, (ARCHIVE, struct archive_entry **entry), (archive, entry))
DEFER(la_int64_t, archive_read_header_position, (ARCHIVE), (archive))
DEFER(la_ssize_t, archive_read_data, (ARCHIVE, void *data, size_t size), (archive, data, size))
DEFER(la_int64_t, archive_filter_bytes, (ARCHIVE, int number), (archive, number))
DEFER(int, archive_errno, (ARCHIVE), (archive))
DEFER(const char *, archive_error_string, (ARCHIVE), (archive))
DEFER(const char *, archive_entry_hardlink, (struct archive_entry *entry), (entry))
DEFER(const char *, archive_entry_pathname, (struct archive_entry *entry), (entry))
DEFER(const struct stat *, archive_entry_stat, (struct archive_entry *entry), (entry))

#endif
