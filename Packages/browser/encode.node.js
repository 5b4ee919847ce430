import { readFile } from "node:fs/promises";
import { encodePixels, moduleFor } from "./pixels.js";

const modules = {};

/** Encodes pixels, because Node.js does not decode images. */
export async function encode(image, options) {
  const kinds = options?.kinds ?? ["blurhash"];
  const name = moduleFor(kinds);
  modules[name] ??= await WebAssembly.compile(await readFile(new URL(`${name}.wasm`, import.meta.url)));
  return encodePixels(modules[name], image, kinds);
}
