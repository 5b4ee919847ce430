/** Returns a PNG file as a data URL, without a canvas; the same on a server and in every browser. */
export function toDataURL(pixels, width, height) {
  const length = width * 4 + 1;
  const isWhole = width % 1 == 0 && height % 1 == 0 && pixels?.length == width * height * 4;
  if (!(isWhole && height > 0 && length > 4 && length < 65536)) throw new RangeError("invalid size");
  const text = String.fromCharCode;
  const word = (value) => text(value >>> 24, value >> 16 & 255, value >> 8 & 255, value & 255);
  const chunk = (data) => {
    let crc = -1;
    for (const byte of data) {
      crc ^= byte.charCodeAt();
      for (let bit = 0; bit < 8; bit += 1) crc = crc >>> 1 ^ (crc & 1) * 0xedb88320;
    }
    return word(data.length - 4) + data + word(~crc);
  };
  let data = "IDATx\x01";
  let low = 1, high = 0, next = 0;
  for (let row = 0; row < height; row += 1) {
    // Each row is a deflate block of stored bytes.
    data += text(row + 1 == height, length & 255, length >> 8, ~length & 255, ~length >> 8 & 255);
    for (let column = 0; column < length; column += 1) {
      const byte = column ? pixels[next++] : 0;
      data += text(byte);
      low = (low + byte) % 65521;
      high = (high + low) % 65521;
    }
  }
  const header = `\x89PNG\r\n\x1a\n${chunk(`IHDR${word(width)}${word(height)}\b\x06\0\0\0`)}`;
  return `data:image/png;base64,${btoa(header + chunk(data + word(high << 16 | low)) + chunk("IEND"))}`;
}
