// Source: evanw/thumbhash, js/thumbhash.js.
import { cosines } from "./cosines.js";

const fail = (reason) => { throw new RangeError(`invalid ThumbHash: ${reason}`); };

/** Returns the channels of a hash in base64 or bytes: lightness, yellow, red and alpha. */
function parse(hash) {
  let text;
  if (typeof hash == "string") {
    try { text = atob(hash); } catch {}
    if (btoa(text) != hash) fail("expected padded base64");
  }
  const bytes = Uint8Array.from(text ?? hash ?? [], (each) => text ? each.charCodeAt() : each);
  const header = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
  const shape = bytes[3] | bytes[4] << 8;
  const hasAlpha = header >> 23;
  const long = hasAlpha ? 5 : 7;
  const short = shape & 7;
  if (!short || short > long) fail(`invalid shape ${short}`);
  const [x, y] = shape >> 15 ? [long, short] : [short, long];
  const first = hasAlpha ? 6 : 5;
  let index = 0;
  /** Returns the rows of a channel's terms, which form a triangle; the average is the first. */
  const channel = (x, y, average, scale) => Array.from({ length: y }, (_, row) =>
    Array.from({ length: Math.ceil(x * (y - row) / y) }, (_, column) => {
      if (!row && !column) return average;
      const digit = bytes[first + (index >> 1)] >> (index & 1) * 4 & 15;
      index += 1;
      return (digit / 7.5 - 1) * scale * 2;
    }));
  // The published decoder boosts the saturation to compensate for the quantization.
  const channels = [
    channel(Math.max(3, x), Math.max(3, y), (header & 63) / 63, (header >> 18 & 31) / 31),
    channel(3, 3, (header >> 6 & 63) / 31.5 - 1, (shape >> 3 & 63) / 50.4),
    channel(3, 3, (header >> 12 & 63) / 31.5 - 1, (shape >> 9 & 63) / 50.4),
    ...hasAlpha ? [channel(5, 5, (bytes[5] & 15) / 15, (bytes[5] >> 4) / 15)] : [],
  ];
  const length = first + (index + 1 >> 1);
  if (bytes.length != length) fail(`expected ${length} bytes`);
  return { channels, ratio: x / y };
}

/** The sample nearest to a value; halves are rounded up, whereas the array would round them to even. */
const sample = (value) => Math.floor(value * 255 + .5);

function setColor(pixels, next, lightness, yellow, red, alpha = 1) {
  const blue = lightness - 2 / 3 * yellow;
  const value = (3 * lightness - blue + red) / 2;
  pixels[next] = sample(value);
  pixels[next + 1] = sample(value - red);
  pixels[next + 2] = sample(blue);
  pixels[next + 3] = sample(alpha);
}

/** Renders a ThumbHash in base64 or bytes as RGBA pixels. */
export function decode(hash, width, height) {
  const { channels } = parse(hash);
  const columns = cosines(7, width, .5);
  const rows = cosines(7, height, .5);
  const pixels = new Uint8ClampedArray(width * height * 4);
  const values = [];
  for (let row = 0, next = 0; row < height; row += 1) {
    // For each horizontal frequency, the sum of its terms weighted by the vertical cosines.
    const sums = channels.map((terms) => terms[0].map((_, i) =>
      terms.reduce((sum, line, j) => sum + (line[i] ?? 0) * rows[row * 7 + j], 0)));
    for (let column = 0; column < columns.length; column += 7, next += 4) {
      for (let channel = 0; channel < sums.length; channel += 1) {
        const sum = sums[channel];
        let value = 0;
        for (let i = 0; i < sum.length; i += 1) value += sum[i] * columns[column + i];
        values[channel] = value;
      }
      setColor(pixels, next, ...values);
    }
  }
  return pixels;
}

/** Returns the approximate ratio of the width to the height. */
export const aspectRatio = (hash) => parse(hash).ratio;

/** Returns the average color as red, green, blue and alpha samples. */
export function averageColor(hash) {
  const color = new Uint8ClampedArray(4);
  setColor(color, 0, ...parse(hash).channels.map((terms) => terms[0][0]));
  return [...color];
}

/** Renders a ThumbHash at 32 pixels on its long side, like `thumbHashToRGBA` of the package thumbhash. */
export function thumbHashToRGBA(hash) {
  const ratio = aspectRatio(hash);
  const w = Math.round(32 * Math.min(1, ratio));
  const h = Math.round(32 / Math.max(1, ratio));
  return { w, h, rgba: decode(hash, w, h) };
}
