/**
 * Renders a BlurHash as opaque RGBA pixels, like `decode` of the package blurhash.
 * @throws RangeError if the hash is invalid, a size is not a positive integer, or `punch` is not positive.
 */
export function decode(hash: string, width: number, height: number, punch?: number): Uint8ClampedArray;
/** Returns the average color as red, green and blue samples, like `getBlurHashAverageColor` of fast-blurhash. */
export function averageColor(hash: string): [number, number, number];
