// Random access to the bytes of an image, for containers that are read in Swift.

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "codec.h"
#include "lqip_tiles.h"

/// Keeps the bytes of a pipe up to offset `end` or to its end, in `ahead`, as an image in memory.
static void keep_until(lqip_codec *codec, uint64_t end) {
  if (end > codec->limits.max_memory)
    codec_fail(codec, LQIP_TOO_LARGE, "decoding needs too much memory");
  if (end <= codec->memory_size) return;
  codec->ahead = codec_allocate(codec, codec->ahead, (size_t)end);
  codec->memory_start = codec->ahead;
  codec->memory_size +=
      codec_read(codec, codec->ahead + codec->memory_size, (size_t)end - codec->memory_size);
}

static size_t read_file(lqip_codec *codec, uint64_t offset, uint8_t *bytes, size_t count) {
  // The first bytes were read to detect the format, and are not consumed.
  if (offset < codec->available && count <= codec->available - offset) {
    memcpy(bytes, codec->next + offset, count);
    return count;
  }
  const uint64_t size = (uint64_t)(codec->file_end - codec->file_start);
  const uint64_t left = offset < size ? size - offset : 0;
  const size_t wanted = count < left ? count : (size_t)left;
  size_t total = 0;
  while (total < wanted) {
    const off_t place = codec->file_start + (off_t)(offset + total);
    const ssize_t result = pread(codec->descriptor, bytes + total, wanted - total, place);
    if (result == 0) break;
    if (result > 0) {
      total += (size_t)result;
    } else if (errno != EINTR) {
      codec->error_number = errno;
      codec_fail(codec, LQIP_UNREADABLE, lqip_error_text(errno));
    }
  }
  return total;
}

bool lqip_codec_read_at(
    lqip_codec *codec, uint64_t offset, uint8_t *bytes, size_t count, size_t *read) {
  *read = 0;
  if (setjmp(codec->entry)) return false;
  codec_check_deadline(codec);
  if (codec->is_file) {
    *read = read_file(codec, offset, bytes, count);
    return true;
  }
  if (codec->window) keep_until(codec, offset + count);
  if (offset >= codec->memory_size) return true;
  const size_t left = codec->memory_size - (size_t)offset;
  *read = count < left ? count : left;
  memcpy(bytes, codec->memory_start + offset, *read);
  return true;
}

bool lqip_codec_check_deadline(lqip_codec *codec) {
  if (setjmp(codec->entry)) return false;
  codec_check_deadline(codec);
  return true;
}
