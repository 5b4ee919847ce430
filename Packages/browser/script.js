// The script of a page: draws the placeholders in data attributes while their images load. Load it in <head>, without
// `defer` or `async`, so that it runs before the first paint. The stylesheets draw LQIPs and CSS integers.
import { decode as blurHash } from "./blurhash.js";
import { toDataURL } from "./png.js";
import { decode as thumbHash } from "./thumbhash.js";
import { toDataURL as tinyToDataURL } from "./tiny.js";

const picture = (url) => `url("${url}") 0 0/100% 100%`;
// Browsers stretch the picture smoothly, so few pixels suffice.
const side = 24;
const drawn = (decode) => (text) => picture(toDataURL(decode(text, side, side), side, side));
const matched = (pattern, value = (text) => text) => (text) => {
  if (pattern.test(text)) return value(text);
  throw new RangeError(`invalid value`);
};
const packed = matched(/^#[\da-f]{8}$/i);

/** For each attribute, the function that returns the value of its property, or throws a `RangeError`. */
const kinds = {
  "data-lqip": packed,
  "data-lqip2": packed,
  "data-lqip-css": matched(/^-?\d{1,6}$/),
  "data-blurhash": drawn(blurHash),
  "data-thumbhash": drawn(thumbHash),
  "data-tiny": (text) => picture(tinyToDataURL(text)),
  "data-preview": matched(/^data:image\/[^"\\\s]+$/, picture),
};
/** The stylesheets draw the values of their properties. */
const property = (name) => name.includes("lqip") ? name.replace("data", "-") : "background";
const names = Object.keys(kinds);
const selector = `[${names.join("],[")}]`;

const styled = new WeakSet();

function clear(holder) {
  if (styled.delete(holder)) for (const name of names) holder.style.removeProperty(property(name));
}

/** Draws the placeholder of an element, which is an image or contains one, unless the image is loaded. */
function show(holder) {
  const image = holder.matches("img") ? holder : holder.querySelector("img");
  clear(holder);
  const isLoaded = image?.naturalWidth > 0 && image.complete;
  for (const element of [holder, image]) element?.toggleAttribute("data-loaded", isLoaded);
  if (isLoaded) return;
  for (const name of names) {
    try {
      if (!holder.hasAttribute(name)) continue;
      holder.style.setProperty(property(name), kinds[name](holder.getAttribute(name)));
      styled.add(holder);
      // Firefox and Safari would show the alternative text over the placeholder.
      if (image && !image.matches("[data-failed]")) image.style.color = "transparent";
    } catch (error) {
      console.warn(name, error);
    }
  }
}

async function settle({ type, target: image }) {
  const holder = image.matches?.("img") && image.closest(selector);
  if (!holder) return;
  image.style.color = "";
  image.toggleAttribute("data-failed", type == "error");
  image.toggleAttribute("data-loaded", type == "load");
  // The image may be fading in over its placeholder.
  await Promise.allSettled(image.getAnimations().map(({ finished }) => finished));
  if (!image.matches("[data-loaded]")) return;
  holder.toggleAttribute("data-loaded", true);
  clear(holder);
}

function visit(roots) {
  const holders = new Set();
  let last;
  for (const root of roots) {
    // The parser reports each element of a tree, from the top.
    if (!root.closest || last?.contains(root)) continue;
    last = root;
    for (const holder of [root.closest(selector), ...root.querySelectorAll(selector)]) holders.add(holder);
  }
  holders.delete(null);
  holders.forEach(show);
}

for (const type of ["load", "error"]) document.addEventListener(type, settle, true);
new MutationObserver((records) => {
  visit(records.flatMap(({ type, target, addedNodes }) => type == "attributes" ? target : [...addedNodes]));
}).observe(document, { subtree: true, childList: true, attributeFilter: names });
visit([document.documentElement]);
