/**
 * Returns a PNG file as a data URL, without a canvas; the same on a server and in every browser.
 * @param pixels RGBA, row by row.
 * @throws RangeError if the number of bytes is not `width * height * 4`.
 */
export function toDataURL(pixels: Uint8ClampedArray | Uint8Array, width: number, height: number): string;
