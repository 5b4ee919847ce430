#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The status of a codec: success, or the reason why a call failed.
typedef enum __attribute__((enum_extensibility(closed))) {
  LQIP_SUCCESS,
  /// A variant of the format that the codec does not support.
  LQIP_UNSUPPORTED,
  LQIP_CORRUPT,
  LQIP_TRUNCATED,
  LQIP_TOO_LARGE,
  LQIP_TIMED_OUT,
  LQIP_UNREADABLE,
  LQIP_OUT_OF_MEMORY,
  /// The library that the codec needs could not be loaded.
  LQIP_NOT_LOADED,
} lqip_status;

typedef enum __attribute__((enum_extensibility(closed))) {
  LQIP_JPEG,
  LQIP_PNG,
  LQIP_WEBP,
  LQIP_GIF,
} lqip_format;

/// The limits on decoding one image, and the options that all readers share.
typedef struct {
  /// The maximum number of pixels, indexed by `lqip_format`.
  uint64_t max_pixels[4];
  size_t max_memory;
  int max_scans;
  int max_warnings;
  /// The maximum CPU time and wall time in nanoseconds, from the creation of the codec; `UINT64_MAX` for no limit.
  uint64_t max_cpu_time;
  uint64_t max_wall_time;
  /// Whether to decode at full size, and without the faster path for PNG rows.
  bool exact;
  /// Whether to read the file to its end, even if the rest is not needed.
  bool verifies;
  /// Whether to return the intact part of a damaged image instead of failing.
  bool lenient;
} lqip_limits;

/// Bytes owned by a codec or the caller.
typedef struct {
  const uint8_t *_Nullable bytes;
  size_t count;
} lqip_bytes;

/// The properties of an image in its header, and the layout of its decoded rows.
typedef struct {
  uint32_t width;
  uint32_t height;
  /// The number of decoded pixels per row, and the number of rows.
  uint32_t decoded_width;
  uint32_t decoded_height;
  /// The number of stored pixels per decoded pixel along each axis: 1, 2, 4 or 8.
  int scale;
  /// Whether a decoded pixel has the mean light of its stored pixels, and not the mean of their encoded samples.
  bool has_mean_light;
  /// Samples per pixel: 1 for gray, 2 for gray and alpha, 3 for RGB, 4 for CMYK (JPEG) or RGBA (other formats).
  int channels;
  /// Whether a PNG file is an animation with frames other than the default image.
  bool is_animated;
} lqip_header;

/// The color information of an image. All members except `icc_profile` are zero unless the image is PNG.
typedef struct {
  /// The ICC profile; empty if it is missing or incomplete.
  lqip_bytes icc_profile;
  /// Whether an iCCP chunk is present, even if its profile is damaged.
  bool has_profile;
  bool has_srgb;
  bool has_gamma;
  bool has_chromaticities;
  bool has_coding;
  /// The encoding exponent in the gAMA chunk, usually 0.45455.
  double gamma;
  /// The chromaticities, x and y, in the cHRM chunk.
  double white[2], red[2], green[2], blue[2];
  /// The cICP chunk: primaries, transfer function, matrix and range.
  uint8_t coding[4];
  /// The maximum luminance of the image in cd/m²; 0 if it is unknown.
  double max_luminance;
} lqip_color;

/// The position of decoded pixels: `count` pixels of row `y`, `step_x` columns apart, starting at `first_x`.
typedef struct {
  uint32_t y;
  uint32_t first_x;
  uint32_t step_x;
  uint32_t count;
  /// Whether the other pixels of the row are transparent; if not, later calls return them.
  bool is_transparent_elsewhere;
} lqip_row;

/// The last failure of a codec, with the `errno` of the failed read if the status is `LQIP_UNREADABLE`.
typedef struct {
  lqip_status status;
  int error_number;
  const char *message;
} lqip_failure;

/// A decoder of one image, from memory or from a descriptor, to rows of 8-bit samples.
///
/// After a function has failed, the codec holds the reason, and can only be destroyed.
typedef struct lqip_codec lqip_codec;

/// Creates a codec that reads from memory, which must outlive the codec. Like all functions that create an object, this
/// one returns null if an allocation fails.
lqip_codec *_Nullable lqip_codec_create_with_bytes(
    const uint8_t *_Nullable bytes, size_t count, lqip_limits limits);

/// Creates a codec that reads from an open descriptor at its current offset, in chunks of 64 KiB.
lqip_codec *_Nullable lqip_codec_create_with_descriptor(int descriptor, lqip_limits limits);

/// Creates a codec that reads a file from offset `start`, using no system call but `pread`; `end` is the file size.
lqip_codec *_Nullable lqip_codec_create_with_file(
    int descriptor, int64_t start, int64_t end, lqip_limits limits);

void lqip_codec_destroy(lqip_codec *codec);

/// Points `first` to the first bytes of the image, up to 64 KiB, without consuming them; returns false if a read fails.
bool lqip_codec_peek(lqip_codec *codec, lqip_bytes *first);

/// Reads the header, checks the size, and starts decoding at the smallest scale that a grid allows; returns null on a
/// failure.
///
/// - JPEG is decoded to gray, RGB or CMYK. At a reduced scale, the mean light of a block, or of its quarters, follows
///   from its coefficients. A progressive image is read until all DC coefficients and the low frequencies of luma are
///   known. libjpeg decodes small, unusual and damaged images.
/// - PNG is decoded to gray or RGB, with or without alpha. libpng parses the file. A faster path, which does not detect
///   where damage starts, decodes the rows of common images unless `exact`, `verifies` or `lenient` is set.
/// - WebP, or the first frame of an animation, is decoded to RGB or RGBA. libwebp receives the image data in pieces. A file
///   is read into memory. The call fails if decoding would exceed `max_memory`.
/// - GIF is decoded to RGB or RGBA: the first frame on its canvas, which is enlarged if the frame extends beyond it.
const lqip_header *_Nullable lqip_codec_open(lqip_codec *codec, lqip_format format);

/// Returns the color information in the header; the ICC profile is valid until the first row is read.
lqip_color lqip_codec_color(const lqip_codec *codec);

/// Returns the TIFF data in the first Exif segment of a JPEG file, without the signature "Exif\0\0", or in the eXIf chunk
/// of a PNG file; otherwise empty. The data is valid until the first row is read.
lqip_bytes lqip_codec_exif(const lqip_codec *codec);

/// Reads the next row, or the next row of a pass if the image is interlaced, into an array with room for a full row.
///
/// `has_row` is false after the last row and, in a lenient decode, at the end of truncated data. The call that sets it to
/// false first counts the frames of an animation, and reads the rest of the file if `verifies` is set. Do not call the
/// function again afterwards. In a lenient decode, the JPEG rows in which the data ends have fewer pixels than the image.
bool lqip_codec_read_row(lqip_codec *codec, uint8_t *samples, lqip_row *row, bool *has_row);

lqip_failure lqip_codec_failure(const lqip_codec *codec);

/// Returns a message from the distinct warnings so far; null after the last one.
const char *_Nullable lqip_codec_warning(const lqip_codec *codec, int index);

/// How much of an image its file has.
typedef enum __attribute__((enum_extensibility(closed))) {
  /// Unknown: the rest of the file was not read.
  LQIP_UNREAD,
  /// Less than the image: data is missing or damaged.
  LQIP_INCOMPLETE,
  LQIP_COMPLETE,
} lqip_extent;

/// Returns how much of the image the file has. Call it after the last row.
lqip_extent lqip_codec_extent(const lqip_codec *codec);

/// Returns the number of frames found so far, at most 65,536; 0 if the file is not an animation.
uint32_t lqip_codec_frame_count(const lqip_codec *codec);

/// Returns the system's message for an error number.
const char *lqip_error_text(int number);

/// Clears this thread's `errno`, so that `lqip_has_allocation_error` can detect a failed allocation in a library that
/// does not report it.
void lqip_clear_allocation_error(void);

/// Returns whether `errno` is `ENOMEM`. Valid only after a library call has failed, because an allocation that succeeds
/// may leave any value in `errno`.
bool lqip_has_allocation_error(void);

/// A codec library.
typedef enum __attribute__((enum_extensibility(closed))) {
  LQIP_LIBJPEG,
  LQIP_LIBPNG,
  LQIP_ISAL,
  LQIP_LIBWEBP,
  LQIP_GIFLIB,
  LQIP_DAV1D,
  LQIP_LIBDE265,
} lqip_library;

/// Returns the version of a library, such as 0x010627 for 1.6.39; 0 if the program was built without the library.
///
/// The version is that of the loaded library if it reports one, otherwise that of its headers at build time.
uint32_t lqip_library_version(lqip_library library);

/// Reads the time zone and the amount of memory for libraries that read them once, in a process that cannot open files
/// later. Loads the libraries that decode tiles if `has_tiles`; one that is not loaded by now is not tried again.
void lqip_load_libraries(bool has_tiles);

#pragma clang assume_nonnull end
