/** The kinds in the order of the module's lines. */
const kinds = ["blurhash", "thumbhash", "lqip", "tiny", "css", "average_color"];

/** Returns the name of the smallest module that makes these kinds. */
export function moduleFor(requested) {
  if (!Array.isArray(requested) || !requested.length || !requested.every((kind) => kinds.includes(kind))) {
    throw new RangeError(`expected kinds among ${kinds.join(", ")}`);
  }
  return requested.every((kind) => kinds.indexOf(kind) < 2) ? "hashes" : "all";
}

/**
 * Returns the placeholders of straight RGBA pixels. `size` is that of the original image, which decides the components
 * of the BlurHash.
 */
export function encodePixels(module, image, requested, size = image) {
  const { data, width, height } = image ?? {};
  const isWhole = [width, height].every((side) => Number.isInteger(side) && side > 0);
  if (!isWhole || data?.BYTES_PER_ELEMENT != 1 || data.length != width * height * 4) {
    throw new RangeError("expected width * height * 4 bytes");
  }
  // A new instance for each image bounds the memory, because the module never frees any.
  const { exports } = new WebAssembly.Instance(module);
  const address = exports.reserve(data.length);
  new Uint8Array(exports.memory.buffer).set(data, address);
  const bits = requested.reduce((bits, kind) => bits | 1 << kinds.indexOf(kind), 0);
  const [x, y] = [size.width < size.height ? 3 : 4, size.height < size.width ? 3 : 4];
  const start = exports[moduleFor(requested)](address, width, height, x, y, bits);
  // The call may have grown the memory, which replaces its buffer.
  const text = new Uint8Array(exports.memory.buffer, start);
  const lines = new TextDecoder().decode(text.slice(0, text.indexOf(0))).split("\n");
  const record = { width: size.width, height: size.height };
  kinds.forEach((kind, index) => {
    if (requested.includes(kind)) record[kind] = kind == "css" ? Number(lines[index]) : lines[index];
  });
  return record;
}
