import { gradient } from "./lqip.js";

/** Returns the CSS background of a CSS integer, for places without its stylesheet. */
export function toCSS(css) {
  const value = typeof css == "string" ? Number(css) : css;
  if (!Number.isInteger(value) || `${value}` != css || value < -524288 || value > 524287) {
    throw new RangeError("invalid CSS integer: expected a whole number from -524288 to 524287");
  }
  const bits = value + 524288;
  const field = (shift, count) => (bits >> shift) % count;
  const cells = [0, 1, 2, 3, 4, 5].map((cell) => {
    const level = field(18 - 2 * cell, 4);
    const center = `${[16.67, 50, 83.33][cell % 3]}% ${cell < 3 ? 25 : 75}%`;
    return gradient(`50% 75% at ${center}`, level < 2 ? "0,0,0" : "255,255,255", Math.abs(level * .4 - .6));
  });
  const number = (value) => +value.toFixed(4);
  const base = [field(6, 4) / 3 * .6 + .2, field(3, 8) / 8 * .7 - .35, (field(0, 8) + 1) / 8 * .7 - .35].map(number);
  return [...cells, `oklab(${base.join(" ")})`].join();
}
