export type Kind = "blurhash" | "thumbhash" | "lqip" | "tiny" | "css" | "average_color";

/** The size of the original image, and the requested placeholders. */
export interface Placeholders {
  width: number;
  height: number;
  blurhash?: string;
  thumbhash?: string;
  lqip?: string;
  tiny?: string;
  css?: number;
  average_color?: string;
}

/** Pixels in memory: straight RGBA in sRGB, row by row. */
export interface Pixels {
  data: Uint8ClampedArray | Uint8Array;
  width: number;
  height: number;
}

/**
 * Encodes an image on this device. In browsers, a worker does the work. Node.js accepts pixels only.
 * @param options `kinds`: the placeholders to make, by default a BlurHash.
 * @throws RangeError if a kind is unknown, or pixels have another number of bytes than `width * height * 4`.
 * @throws The browser's error if it cannot decode the image, or if the content security policy does not allow
 *   WebAssembly.
 */
export function encode(
  image: Blob | ImageBitmap | ImageData | Pixels, options?: { kinds?: Kind[] } | null,
): Promise<Placeholders>;
