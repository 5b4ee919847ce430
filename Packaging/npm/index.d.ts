/** A kind of placeholder. */
export type Kind = "blurhash" | "lqip" | "thumbhash" | "tiny" | "preview" | "svg" | "css" | "palette";

/** Why an image was not encoded. */
export type ErrorCode = "unsupported_format" | "corrupt" | "truncated" | "too_large" | "timeout" | "unreadable" |
  "decoder_failed" | "internal";

/** The record of an image, as `lqip encode` writes it. */
export interface ImageRecord {
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
  /** Absent if the file may be cut off; false if it is cut off or damaged where it was not decoded. */
  complete?: boolean;
  warnings: string[];
  error?: undefined;
}

/** The record of a file that was not encoded. */
export type Failure = Partial<Record<Exclude<keyof ImageRecord, "path" | "path_base64" | "error">, undefined>> & {
  path: string;
  path_base64?: string;
  error: { code: ErrorCode; message: string };
};

/** The options of `lqip encode` that change placeholders; `lqip encode --help` describes them. */
export interface Options {
  /** One kind or several. The default is `blurhash` and `lqip`. */
  kinds?: Kind | readonly Kind[] | Iterable<Kind>;
  components?: string;
  blurhash?: "reference" | "fitted";
  lqip?: "fitted" | "corners" | "six";
  tinyBytes?: number;
  previewFormat?: "webp" | "jpeg";
  previewBytes?: number;
  background?: string;
  exact?: boolean;
  lenient?: boolean;
  /** Reads the image to its end, so that any damage is an error. */
  verify?: boolean;
}

/** The options of `encodeMany` and `encodeDirectory`, with the limits for each file. */
export interface BatchOptions extends Options {
  jobs?: number;
  maxBytes?: number;
  maxPixels?: number;
  /** In seconds. */
  timeout?: number;
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
  constructor(code: ErrorCode, message: string);
  readonly code: ErrorCode;
}

/**
 * Encodes an image, given by its path or its bytes.
 *
 * Rejects with the error of `fs.readFile` if the file cannot be read, with `TypeError` for a wrong argument, with
 * `ImageError`, and with `Error` if the program fails.
 */
export function encode(
  image: string | URL | ArrayBuffer | ArrayBufferView | Blob, options?: Options,
): Promise<ImageRecord>;

/**
 * Encodes files on all cores, and yields one record for each, in the same order.
 *
 * Throws `TypeError` for wrong arguments, such as a directory.
 */
export function encodeMany(
  paths: Iterable<string | URL>, options?: BatchOptions,
): AsyncGenerator<ImageRecord | Failure, void, undefined>;

/**
 * Encodes the images in a directory and its subdirectories, and yields their records sorted by path.
 *
 * Throws `TypeError` for wrong arguments, and the error of `fs.access` if the directory cannot be read.
 */
export function encodeDirectory(
  directory: string | URL, options?: BatchOptions,
): AsyncGenerator<ImageRecord | Failure, void, undefined>;

/** Renders a placeholder as a PNG. Rejects with `TypeError` for a malformed string. */
export function decode(placeholder: string | number, options?: DecodeOptions): Promise<Uint8Array>;

/** The path of the program `lqip`. */
export const program: string;
