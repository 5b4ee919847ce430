/**
 * Returns the CSS background of a CSS integer, for places without its stylesheet.
 * @throws RangeError if the value is not a whole number from -524288 to 524287.
 */
export function toCSS(css: number | string): string;
