// The sender's device makes the placeholders, and seals the picture and everything about it with the key in the
// fragment of the address, which browsers send to no server. plain.js has the same functions.
import { encode } from "./lqip/encode.js";
import { put } from "./plain.js";

const kinds = ["lqip", "tiny", "blurhash", "thumbhash"];
const types = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"];
const toText = (bytes) => btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(""));
const toBytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt());

// Programs that pass on addresses append to them.
if (!/^#[\w-]{43}(?![\w-])/.test(location.hash)) {
  const made = toText(crypto.getRandomValues(new Uint8Array(32)));
  history.replaceState(null, "", `#${made.replaceAll("+", "-").replaceAll("/", "_").replace("=", "")}`);
}
const secret = toBytes(location.hash.slice(1, 44).replaceAll("-", "+").replaceAll("_", "/"));
const key = await crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["encrypt", "decrypt"]);
onhashchange = () => location.reload();
// Loads the module, so that pictures can be sealed without a connection.
const ready = encode(new ImageData(1, 1), { kinds });

/** The purpose, such as `file` and the ID, is sealed too: the server cannot exchange one text for another. */
const algorithm = (iv, purpose) => ({ name: "AES-GCM", iv, additionalData: new TextEncoder().encode(purpose) });

async function seal(bytes, purpose) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  return new Blob([iv, await crypto.subtle.encrypt(algorithm(iv, purpose), key, bytes)]);
}

const unseal = (bytes, purpose) =>
  crypto.subtle.decrypt(algorithm(bytes.subarray(0, 12), purpose), key, bytes.subarray(12));

/** Returns whether an image moves; rejects if the browser does not tell. */
async function isAnimated({ type }, data) {
  const { tracks } = new ImageDecoder({ type, data });
  return tracks.ready.then(() => tracks.selectedTrack.animated);
}

export async function send({ client, upload, ...envelope }, report) {
  if (upload) {
    if (!types.includes(upload.type) || !envelope.file.width) {
      throw Object.assign(new Error("not a JPEG, PNG, WebP, GIF or AVIF image"), { isFinal: true });
    }
    // Without a placeholder, the message has the size that the page has measured.
    const made = await ready.then(() => encode(upload, { kinds })).catch(console.warn);
    const opaque = !made || !(toBytes(made.thumbhash)[2] & 128);
    const data = await upload.arrayBuffer();
    const animated = await isAnimated(upload, data).catch(() => upload.type != "image/jpeg");
    envelope.file = { ...envelope.file, ...made, opaque, animated, type: upload.type };
    const sealed = await seal(data, `file ${client}`);
    await put("PUT", `files/${client}`, "application/octet-stream", sealed, report);
  }
  const sealed = await seal(new TextEncoder().encode(JSON.stringify(envelope)), `message ${client}`);
  const body = { client, sealed: toText(await sealed.arrayBuffer()) };
  await put("POST", "messages", "application/json", JSON.stringify(body));
}

export async function open({ id, client, sealed }) {
  try {
    const text = new TextDecoder().decode(await unseal(toBytes(sealed), `message ${client}`));
    return { ...JSON.parse(text), id, client };
  } catch {
    return { id, client, name: "", text: "The key in the address does not open this message.", sent: "" };
  }
}

const visible = new IntersectionObserver((entries) => entries.filter((each) => each.isIntersecting).forEach(show),
  { rootMargin: "1000px" });
const waiting = new WeakMap();

export function load(image, message) {
  waiting.set(image, message);
  visible.observe(image);
}

async function show({ target: image }) {
  visible.unobserve(image);
  const { client, file } = waiting.get(image);
  try {
    const response = await fetch(`files/${client}`);
    const bytes = await unseal(new Uint8Array(await response.arrayBuffer()), `file ${client}`);
    // Only a type of an image: a page at this URL would run with the rights of this one.
    const type = types.includes(file.type) ? file.type : "application/octet-stream";
    image.src = image.parentElement.href = URL.createObjectURL(new Blob([bytes], { type }));
  } catch (error) {
    console.warn(error);
    image.src = "data:,";
  }
}
