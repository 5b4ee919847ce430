// The least that reading a PNG costs: libpng, one row at a time, into one buffer.
// Usage: png-row-loop FILE

#include <png.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  if (!file || !info || setjmp(png_jmpbuf(png))) {
    fputs("png-row-loop: cannot read the file\n", stderr);
    return 1;
  }
  png_init_io(png, file);
  png_read_info(png, info);
  png_bytep row = malloc(png_get_rowbytes(png, info));
  for (png_uint_32 rows = png_get_image_height(png, info); rows > 0; rows--) {
    png_read_row(png, row, NULL);
  }
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  free(row);
  return fclose(file);
}
