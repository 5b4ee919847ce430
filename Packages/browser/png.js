/** Returns a PNG file as a data URL, without a canvas; the same on a server and in every browser. */
export function toDataURL(pixels, width, height) {
  const length = width * 4 + 1;
  if (!(height > 0 && length > 4 && length < 65536 && pixels.length == width * height * 4)) {
    throw new RangeError("invalid size");
  }
  const word = (value) => [24, 16, 8, 0].map((shift) => value >> shift & 255);
  const chunk = (bytes) => {
    let crc = -1;
    for (const byte of bytes) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit += 1) crc = crc >>> 1 ^ (crc & 1) * 0xedb88320;
    }
    return [...word(bytes.length - 4), ...bytes, ...word(~crc)];
  };
  const data = [73, 68, 65, 84, 120, 1];
  let low = 1, high = 0;
  for (let row = 0, next = 0; row < height; row += 1) {
    // Each row is a deflate block of stored bytes.
    data.push(+(row + 1 == height), length & 255, length >> 8, ~length & 255, ~length >> 8 & 255);
    for (let column = 0; column < length; column += 1) {
      const byte = column ? pixels[next++] : 0;
      data.push(byte);
      low = (low + byte) % 65521;
      high = (high + low) % 65521;
    }
  }
  const file = [
    137, 80, 78, 71, 13, 10, 26, 10, ...chunk([73, 72, 68, 82, ...word(width), ...word(height), 8, 6, 0, 0, 0]),
    ...chunk([...data, ...word(high << 16 | low)]), ...chunk([73, 69, 78, 68]),
  ];
  return `data:image/png;base64,${btoa(file.map((byte) => String.fromCharCode(byte)).join(""))}`;
}
