import { encode } from "./encode.js";
import { Problem } from "./service.js";

const kinds = ["blurhash", "thumbhash", "lqip", "tiny", "css", "average_color"];

/** Loads the encoder, which needs no network afterwards. */
export const prepare = () => encode(new ImageData(1, 1), { kinds });

/** Encodes an image in this browser; returns a record like that of the server. */
export async function encodeHere(file) {
  try {
    const record = await encode(file, { kinds });
    const hasAlpha = atob(record.thumbhash).charCodeAt(2) > 127;
    return { ...record, mimetype: file.type, bytes: file.size, opaque: !hasAlpha, warnings: [] };
  } catch ({ name, message }) {
    throw new Problem(name === "InvalidStateError" ? "This browser cannot decode the image." : message, 422);
  }
}
