// Source: woltapp/blurhash, Algorithm.md; rounding follows its C implementation.
import { cosines } from "./cosines.js";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

const fail = (reason) => { throw new RangeError(`invalid BlurHash: ${reason}`); };

/** Returns the linear light of a sample. */
const light = (sample) => (sample /= 255) <= .04045 ? sample / 12.92 : ((sample + .055) / 1.055) ** 2.4;

/** The sample of each multiple of 1/4096 of linear light. */
const samples = Uint8Array.from({ length: 4097 }, (_, step) =>
  (step /= 4096, step <= .0031308 ? step * 12.92 : 1.055 * step ** (1 / 2.4) - .055) * 255 + .5);

function number(hash, start, end, limit) {
  let value = 0;
  for (let index = start; index < end; index += 1) {
    const digit = digits.indexOf(hash[index]);
    value = digit < 0 ? Infinity : value * 83 + digit;
  }
  return value <= limit ? value : fail(`characters ${start + 1} to ${end}`);
}

/** Returns the number of terms along each axis, and the terms: red, green and blue in linear light. */
export function parse(hash, punch = 1) {
  if (typeof hash != "string" || !(punch > 0)) fail("expected a string and a positive punch");
  const size = number(hash, 0, 1, 80);
  const [x, y] = [size % 9 + 1, (size / 9 | 0) + 1];
  if (hash.length != 4 + 2 * x * y) fail(`expected ${4 + 2 * x * y} characters`);
  const maximum = (number(hash, 1, 2, 82) + 1) / 166 * punch;
  const color = number(hash, 2, 6, 0xffffff);
  const terms = [color >> 16, color >> 8 & 255, color & 255].map(light);
  for (let start = 6; start < hash.length; start += 2) {
    const value = number(hash, start, start + 2, 6858);
    for (const digit of [value / 361 | 0, (value / 19 | 0) % 19, value % 19]) {
      const root = (digit - 9) / 9;
      terms.push(root * Math.abs(root) * maximum);
    }
  }
  return { x, y, terms };
}

/** Renders a BlurHash as opaque RGBA pixels, like `decode` of the package blurhash. */
export function decode(hash, width, height, punch = 1) {
  const { x, y, terms } = parse(hash, punch);
  const columns = cosines(x, width, 0);
  const rows = cosines(y, height, 0);
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  const sums = new Float64Array(x * 3);
  const sample = (value) => samples[Math.max(0, Math.min(4096, value * 4096 + .5 | 0))];
  for (let row = 0, next = 0; row < height; row += 1) {
    sums.fill(0);
    for (let j = 0, term = 0; j < y; j += 1) {
      const cosine = rows[row * y + j];
      for (let sum = 0; sum < x * 3; sum += 1, term += 1) sums[sum] += terms[term] * cosine;
    }
    for (let column = 0; column < columns.length; next += 4) {
      let red = 0, green = 0, blue = 0;
      for (let sum = 0; sum < x * 3; column += 1) {
        const cosine = columns[column];
        red += sums[sum++] * cosine;
        green += sums[sum++] * cosine;
        blue += sums[sum++] * cosine;
      }
      pixels[next] = sample(red);
      pixels[next + 1] = sample(green);
      pixels[next + 2] = sample(blue);
    }
  }
  return pixels;
}

/** Returns the average color as red, green and blue samples. */
export function averageColor(hash) {
  parse(hash);
  const color = number(hash, 2, 6, 0xffffff);
  return [color >> 16, color >> 8 & 255, color & 255];
}
