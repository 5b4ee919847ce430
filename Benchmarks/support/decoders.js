"use strict";

// What a page runs to draw the placeholders that no browser draws by itself. Each decoder follows the published
// formulas, and returns the width, the height and the RGBA samples.

const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const encode = (light) => 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
const linear = (value) => value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
const base83 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

function blurhash(text, width = 32, height = 32) {
  const number = (from, to) => [...text.slice(from, to)].reduce((sum, digit) => sum * 83 + base83.indexOf(digit), 0);
  const size = number(0, 1), across = size % 9 + 1, down = Math.floor(size / 9) + 1;
  const maximum = (number(1, 2) + 1) / 166, dc = number(2, 6);
  const term = (step) => Math.sign(step - 9) * ((step - 9) / 9) ** 2 * maximum;
  const colors = [[linear(dc >> 16), linear(dc >> 8 & 255), linear(dc & 255)]];
  for (let at = 6; at < text.length; at += 2) {
    const ac = number(at, at + 2);
    colors.push([term(Math.floor(ac / 361)), term(Math.floor(ac / 19) % 19), term(ac % 19)]);
  }
  const samples = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let red = 0, green = 0, blue = 0;
      for (let j = 0; j < down; j++) {
        for (let i = 0; i < across; i++) {
          const basis = Math.cos(Math.PI * x * i / width) * Math.cos(Math.PI * y * j / height);
          const color = colors[i + j * across];
          red += color[0] * basis;
          green += color[1] * basis;
          blue += color[2] * basis;
        }
      }
      const at = 4 * (x + y * width);
      samples[at] = encode(red);
      samples[at + 1] = encode(green);
      samples[at + 2] = encode(blue);
      samples[at + 3] = 255;
    }
  }
  return { width, height, samples };
}

function thumbhash(text) {
  const hash = fromBase64(text);
  const header = hash[0] | hash[1] << 8 | hash[2] << 16, more = hash[3] | hash[4] << 8;
  const hasAlpha = header >> 23, isLandscape = more >> 15, most = hasAlpha ? 5 : 7;
  const across = isLandscape ? most : more & 7, down = isLandscape ? more & 7 : most;
  let nibble = hasAlpha ? 12 : 10;
  const channel = (columns, rows, scale) => {
    const terms = [];
    for (let j = 0; j < rows; j++) {
      for (let i = j ? 0 : 1; i * rows < columns * (rows - j); i++) {
        terms.push([i, j, ((hash[nibble >> 1] >> (nibble++ & 1) * 4 & 15) / 7.5 - 1) * scale]);
      }
    }
    return terms;
  };
  const light = channel(Math.max(3, across), Math.max(3, down), (header >> 18 & 31) / 31);
  const yellow = channel(3, 3, (more >> 3 & 63) / 63 * 1.25);
  const red = channel(3, 3, (more >> 9 & 63) / 63 * 1.25);
  const opacity = hasAlpha ? channel(5, 5, (hash[5] >> 4) / 15) : [];
  const ratio = across / down;
  const width = Math.round(ratio > 1 ? 32 : 32 * ratio), height = Math.round(ratio > 1 ? 32 / ratio : 32);
  const samples = new Uint8ClampedArray(width * height * 4);
  const terms = Math.max(across, down, 5);
  const fx = new Float64Array(terms), fy = new Float64Array(terms);
  const sum = (start, channel) => {
    let sum = start;
    for (const [i, j, factor] of channel) sum += factor * fx[i] * fy[j] * 2;
    return sum;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let i = 0; i < terms; i++) {
        fx[i] = Math.cos(Math.PI / width * (x + 0.5) * i);
        fy[i] = Math.cos(Math.PI / height * (y + 0.5) * i);
      }
      const l = sum((header & 63) / 63, light), p = sum((header >> 6 & 63) / 31.5 - 1, yellow);
      const q = sum((header >> 12 & 63) / 31.5 - 1, red), b = l - 2 / 3 * p, r = (3 * l - b + q) / 2;
      const a = hasAlpha ? sum((hash[5] & 15) / 15, opacity) : 1;
      const at = 4 * (x + y * width);
      samples[at] = 255 * r;
      samples[at + 1] = 255 * (r - q);
      samples[at + 2] = 255 * b;
      samples[at + 3] = 255 * a;
    }
  }
  return { width, height, samples };
}

function splathash(text) {
  const bits = [...fromBase64(text)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  let at = 0;
  const take = (count) => parseInt(bits.slice(at, at += count), 2);
  const between = (low, high, count) => low + take(count) / (2 ** count - 1) * (high - low);
  const mean = [take(6) / 63, between(-0.2, 0.2, 5), between(-0.2, 0.2, 5)];
  const width = 32, height = 32, samples = new Uint8ClampedArray(width * height * 4);
  const grid = [0, 1, 2].map((channel) => new Float64Array(width * height).fill(mean[channel]));
  for (let index = 0; index < 6; index++) {
    const colorBits = index < 3 ? 12 : 5;
    const isEmpty = !Number(bits.slice(at, at + 8)) && !Number(bits.slice(at + 10, at + 10 + colorBits));
    // The centers are whole pixels.
    const centerX = Math.floor(take(4) / 15 * width), centerY = Math.floor(take(4) / 15 * height);
    const sigma = [0.025, 0.1, 0.2, 0.35][take(2)] * width;
    const color = [between(-0.8, 0.8, index < 3 ? 4 : 5)];
    if (index < 3) color.push(between(-0.4, 0.4, 4), between(-0.4, 0.4, 4));
    if (isEmpty) continue;
    const falloff = (distance) => Math.exp(-(distance ** 2) / (2 * sigma ** 2));
    const across = Array.from({ length: width }, (_, x) => falloff(x - centerX));
    for (let y = 0; y < height; y++) {
      const down = falloff(y - centerY);
      for (let x = 0; x < width; x++) {
        const weight = across[x] * down;
        for (let channel = 0; channel < color.length; channel++) {
          grid[channel][x + y * width] += color[channel] * weight;
        }
      }
    }
  }
  for (let pixel = 0; pixel < width * height; pixel++) {
    const l = grid[0][pixel], a = grid[1][pixel], b = grid[2][pixel];
    const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const short = (l - 0.0894841775 * a - 1.2914855480 * b) ** 3;
    samples[4 * pixel] = encode(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short);
    samples[4 * pixel + 1] = encode(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short);
    samples[4 * pixel + 2] = encode(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short);
    samples[4 * pixel + 3] = 255;
  }
  return { width, height, samples };
}

const decoders = { blurhash, thumbhash, splathash };

/** Draws a value on a canvas, as the pages of the formats do. */
function paint(kind, value) {
  const { width, height, samples } = decoders[kind](value);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").putImageData(new ImageData(samples, width, height), 0, 0);
}

/** Decodes an image file with the browser's own codec. */
const load = (url) => Object.assign(new Image(), { src: url }).decode();

/** The milliseconds that a value takes. */
async function measure(kind, values) {
  const start = performance.now();
  for (const value of values) await (kind === "image" ? load(value) : paint(kind, value));
  return (performance.now() - start) / values.length;
}
