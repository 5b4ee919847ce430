/**
 * Returns the CSS background of an LQIP, for places without its stylesheet.
 * @param lqip `#` and 8 hexadecimal digits; with six colors two values, separated by a space.
 * @throws RangeError if the value is invalid.
 */
export function toCSS(lqip: string): string;
/** Returns the three or six colors of an LQIP as red, green and blue samples; the first is the ground. */
export function colors(lqip: string): [number, number, number][];
