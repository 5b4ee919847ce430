/**
 * A ThumbHash in base64 with padding, or its bytes. The functions throw a `RangeError` if it is invalid, or a size is
 * not a positive integer.
 */
export type ThumbHash = string | Uint8Array;
/** Renders a ThumbHash as RGBA pixels. */
export function decode(hash: ThumbHash, width: number, height: number): Uint8ClampedArray;
/** Returns the approximate ratio of the width to the height. */
export function aspectRatio(hash: ThumbHash): number;
/** Returns the average color as red, green, blue and alpha samples. */
export function averageColor(hash: ThumbHash): [number, number, number, number];
/** Renders a ThumbHash at 32 pixels on its long side, like `thumbHashToRGBA` of the package thumbhash. */
export function thumbHashToRGBA(hash: ThumbHash): { w: number; h: number; rgba: Uint8ClampedArray };
