/** Returns a radial gradient in CSS; its stops are evenly spaced, and mixed in encoded sRGB. */
export const gradient = (shape, color, opacity = 1) =>
  `radial-gradient(${shape},${[1, .98, .92, .82, .68, .5, .32, .18, .08, .02, 0].map((stop) =>
    `rgba(${color},${+(stop * opacity).toFixed(4)})`)})`;

const shapes = [
  "100% 75% at 40% 50%", "150% 75% at 80% 100%", "60% 50% at 5% 75%", "55% 45% at 85% 35%", "60% 45% at 95% 70%",
];

/** Returns the colors of an LQIP of one or two values, as red, green and blue samples: the first is the ground. */
export function colors(lqip) {
  if (typeof lqip != "string" || !/^#[\da-f]{8}( #[\da-f]{8})?$/i.test(lqip)) {
    throw new RangeError("invalid LQIP: expected '#' and 8 hexadecimal digits, once or twice");
  }
  return lqip.split(" ").flatMap((text) => {
    let bits = parseInt(text.slice(1), 16);
    const fields = [3, 4, 3, 3, 4, 4, 3, 4, 4].map((width) => {
      const level = bits % 2 ** width;
      bits = Math.floor(bits / 2 ** width);
      return Math.round(level * 255 / (2 ** width - 1));
    }).reverse();
    return [0, 3, 6].map((first) => fields.slice(first, first + 3));
  });
}

/** Returns the CSS background of an LQIP, for places without its stylesheet. */
export function toCSS(lqip) {
  const [ground, ...others] = colors(lqip);
  return [...others.map((color, index) => gradient(shapes[index], color)).reverse(), `rgb(${ground})`].join();
}
