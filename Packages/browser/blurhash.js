// Source: woltapp/blurhash, Algorithm.md; rounding follows its C implementation.
import { render } from "./cosines.js";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

const fail = (reason) => { throw new RangeError(`invalid BlurHash: ${reason}`); };

/** Returns the linear light of a sample. */
const light = (sample) => (sample /= 255) <= .04045 ? sample / 12.92 : ((sample + .055) / 1.055) ** 2.4;

/** The sample of each multiple of 1/4096 of linear light. */
const samples = Uint8Array.from({ length: 4097 }, (_, step) =>
  (step /= 4096, step <= .0031308 ? step * 12.92 : 1.055 * step ** (1 / 2.4) - .055) * 255 + .5);

/** Returns the average color, and the channels in linear light: rows of factors. */
function parse(hash, punch = 1) {
  if (typeof hash != "string" || !(punch > 0)) fail("expected a string, and a positive punch");
  const number = (start, end, limit) => {
    let value = 0;
    for (const character of hash.slice(start, end)) {
      const digit = digits.indexOf(character);
      value = digit < 0 ? Infinity : value * 83 + digit;
    }
    return value <= limit ? value : fail(`characters ${start + 1} to ${end}`);
  };
  const size = number(0, 1, 80);
  const x = size % 9 + 1;
  const y = (size / 9 | 0) + 1;
  const length = 4 + 2 * x * y;
  if (hash.length != length) fail(`expected ${length} characters`);
  const maximum = (number(1, 2, 82) + 1) / 166 * punch;
  const color = number(2, 6, 0xffffff);
  const average = [color >> 16, color >> 8 & 255, color & 255];
  const channels = average.map((sample, channel) => Array.from({ length: y }, (_, row) =>
    Array.from({ length: x }, (_, column) => {
      const start = 4 + 2 * (row * x + column);
      if (start < 6) return light(sample);
      const root = ((number(start, start + 2, 6858) / 19 ** (2 - channel) | 0) % 19 - 9) / 9;
      return root * Math.abs(root) * maximum;
    })));
  return { average, channels };
}

/** Renders a BlurHash as opaque RGBA pixels, like `decode` of the package blurhash. */
export function decode(hash, width, height, punch) {
  const sample = (value) => samples[Math.max(0, Math.min(4096, value * 4096 + .5 | 0))];
  return render(parse(hash, punch).channels, width, height, 0, (pixels, next, values) => {
    for (let channel = 0; channel < 3; channel += 1) pixels[next + channel] = sample(values[channel]);
    pixels[next + 3] = 255;
  });
}

/** Returns the average color as red, green and blue samples. */
export const averageColor = (hash) => parse(hash).average;
