/**
 * Returns RGBA pixels. A channel has rows of factors, which are multiplied by the cosines of their frequencies and
 * summed; `paint` sets the samples of a pixel from the sums of all channels.
 */
export function render(channels, width, height, offset, paint) {
  const [columns, rows] = [width, height].map((length) => {
    if (!Number.isInteger(length) || length < 1) throw new RangeError("invalid size");
    return Float64Array.from({ length: length * 9 }, (_, index) =>
      Math.cos(Math.PI / length * (index % 9) * ((index / 9 | 0) + offset)));
  });
  const pixels = new Uint8ClampedArray(width * height * 4);
  const values = [];
  for (let row = 0, next = 0; row < rows.length; row += 9) {
    // For each horizontal frequency, the sum of its factors weighted by the vertical cosines.
    const sums = channels.map((lines) => lines[0].map((_, i) =>
      lines.reduce((sum, line, j) => sum + (line[i] ?? 0) * rows[row + j], 0)));
    for (let column = 0; column < columns.length; column += 9, next += 4) {
      for (let channel = 0; channel < sums.length; channel += 1) {
        const sum = sums[channel];
        let value = 0;
        for (let i = 0; i < sum.length; i += 1) value += sum[i] * columns[column + i];
        values[channel] = value;
      }
      paint(pixels, next, values);
    }
  }
  return pixels;
}
