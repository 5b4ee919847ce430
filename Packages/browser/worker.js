import { encodePixels, moduleFor } from "./pixels.js";

/** The long side, in pixels, of the images that the module receives. */
const side = 512;

const urls = { hashes: new URL("hashes.wasm", import.meta.url), all: new URL("all.wasm", import.meta.url) };
const modules = {};

async function load(name) {
  const response = await fetch(urls[name]);
  if (!response.ok) throw new Error(`${urls[name]}: status ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Returns the pixels of an image, scaled down by the browser, and its original size. */
async function read(image) {
  const isPixels = image?.data?.BYTES_PER_ELEMENT == 1 && image.colorSpace != "display-p3";
  if (isPixels && Math.max(image.width, image.height) <= side) return { pixels: image, size: image };
  // Plain pixels have no color space.
  const source = isPixels ? new ImageData(Uint8ClampedArray.from(image.data), image.width, image.height) : image;
  const bitmap = image instanceof ImageBitmap ? image : await createImageBitmap(source);
  const { width, height } = bitmap;
  const scale = Math.min(1, side / Math.max(width, height));
  const [resizeWidth, resizeHeight] = [width, height].map((length) => Math.max(1, Math.round(length * scale)));
  const small = scale < 1
    ? await createImageBitmap(bitmap, { resizeWidth, resizeHeight, resizeQuality: "medium" }) : bitmap;
  const context = new OffscreenCanvas(resizeWidth, resizeHeight).getContext("2d", { willReadFrequently: true });
  context.drawImage(small, 0, 0);
  for (const each of [bitmap, small]) each.close();
  return { pixels: context.getImageData(0, 0, resizeWidth, resizeHeight), size: { width, height } };
}

// An exception in an asynchronous handler would be silent.
async function answer({ id, image, kinds }) {
  try {
    const name = moduleFor(kinds);
    modules[name] ??= await load(name);
    const { pixels, size } = await read(image);
    postMessage({ id, record: encodePixels(modules[name], pixels, kinds, size) });
  } catch ({ name, message }) {
    postMessage({ id, error: { name, message } });
  }
}

// One image at a time, because a decoded image takes the memory of all its pixels.
let last = Promise.resolve();
onmessage = ({ data }) => { last = last.then(() => answer(data)); };
