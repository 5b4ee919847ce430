/** A kind of placeholder. */
export type Kind = "blurhash" | "lqip" | "thumbhash" | "tiny" | "preview" | "svg" | "css" | "palette";

/** The record of an image, as `lqip encode` writes it. */
export interface Record {
  path?: string;
  path_base64?: string;
  mimetype: string;
  bytes: number;
  width: number;
  height: number;
  orientation: number;
  has_alpha: boolean;
  opaque: boolean;
  animated: boolean;
  frame_count?: number;
  blurhash?: string;
  components?: [number, number];
  lqip?: string;
  lqip2?: string;
  thumbhash?: string;
  tiny?: string;
  preview?: string;
  svg?: string;
  css?: number;
  palette?: { color: string; share: number }[];
  average_color: string;
  complete?: boolean;
  warnings: string[];
  error?: undefined;
}

/** The record of a file that was not encoded. `code` is, for example, `corrupt`. */
export interface Failure {
  path: string;
  path_base64?: string;
  error: { code: string; message: string };
}

/** The options of `lqip encode` that change placeholders; `lqip encode --help` describes them. */
export interface Options {
  /** One kind or several. The default is `blurhash` and `lqip`. */
  kinds?: Kind | Iterable<Kind>;
  components?: string;
  blurhash?: "reference" | "fitted";
  lqip?: "fitted" | "corners" | "six";
  tinyBytes?: number;
  previewFormat?: "webp" | "jpeg";
  previewBytes?: number;
  background?: string;
  exact?: boolean;
  lenient?: boolean;
  verify?: boolean;
}

export interface DecodeOptions {
  width?: number;
  height?: number;
  /** The default is detected from the string; a tiny JPEG needs `"tiny"`. */
  kind?: "blurhash" | "lqip" | "thumbhash" | "tiny" | "css";
  punch?: number;
  lqip2?: string;
}

/** An image that cannot be encoded. `code` is the error code of the record, such as `corrupt`. */
export class ImageError extends Error {
  constructor(code: string, message: string);
  readonly code: string;
}

/**
 * Encodes an image, given by its path or its bytes.
 *
 * Rejects with the error of `fs.readFile` if the file cannot be read, with `TypeError` for an unknown kind or option, and
 * with `ImageError`.
 */
export function encode(
  image: string | URL | ArrayBuffer | ArrayBufferView | Blob, options?: Options,
): Promise<Record>;

/** Encodes files on all cores, and yields their records in the same order. */
export function encodeMany(
  paths: Iterable<string | URL>, options?: Options,
): AsyncGenerator<Record | Failure, void, undefined>;

/** Encodes the images in a directory and its subdirectories, and yields their records sorted by path. */
export function encodeDirectory(
  directory: string | URL, options?: Options,
): AsyncGenerator<Record | Failure, void, undefined>;

/** Renders a placeholder as a PNG. Rejects with `TypeError` for a malformed string. */
export function decode(placeholder: string | number, options?: DecodeOptions): Promise<Uint8Array>;

/** The path of the program `lqip`. */
export const program: string;
