// The script of a page: draws the placeholders in data attributes while their images load. Load it in <head>, without
// `defer` or `async`, so that it runs before the first paint. The stylesheets draw LQIPs and CSS integers.
import { decode as blurHash } from "./blurhash.js";
import { toDataURL } from "./png.js";
import { decode as thumbHash } from "./thumbhash.js";
import { toDataURL as tinyToDataURL } from "./tiny.js";

const picture = (url) => ({ "background-image": `url("${url}")`, "background-size": "100% 100%" });
// Browsers stretch the picture smoothly, so few pixels suffice.
const side = 24;
const drawn = (decode) => (text) => picture(toDataURL(decode(text, side, side), side, side));
const fail = () => { throw new RangeError("invalid value"); };
const matched = (pattern, styles) => (text) => pattern.test(text) ? styles(text) : fail();
const packed = (property) => matched(/^#[\da-f]{8}$/i, (text) => ({ [property]: text }));

/** For each attribute, the function that returns the styles of its value, or throws a `RangeError`. */
const kinds = {
  // The stylesheets draw the values of these properties.
  "data-lqip": packed("--lqip"),
  "data-lqip2": packed("--lqip2"),
  "data-lqip-css": (text) => `${~~text}` == text && text >= -524288 && text < 524288 ? { "--lqip-css": text } : fail(),
  "data-blurhash": drawn(blurHash),
  "data-thumbhash": drawn(thumbHash),
  "data-tiny": (text) => picture(tinyToDataURL(text)),
  "data-preview": matched(/^data:image\/[^"\\\s]+$/, picture),
};
const names = Object.keys(kinds);
const selector = `[${names.join("],[")}]`;

/** For each element that was drawn, the functions that undo its changes. */
const changes = new WeakMap();

function set(element, property, value) {
  const { style } = element;
  const current = () => style.getPropertyValue(property);
  const before = current();
  const priority = style.getPropertyPriority(property);
  style.setProperty(property, value);
  const drawn = current();
  const undo = changes.get(element);
  changes.set(element, () => {
    // It may have been set again since. A copy of an element has the value from the start.
    if (current() == drawn) style.setProperty(property, before == drawn ? "" : before, priority);
    undo?.();
  });
}

function clear(element) {
  changes.get(element)?.();
  changes.set(element);
}

/** Brings an image and the boxes around it into a state: `load`, `error` or, while it loads, "". */
function update(element, state) {
  const image = element.matches("img") ? element : element.querySelector("img");
  state ??= !image?.complete ? "" : image.naturalWidth ? "load" : image.src + image.srcset ? "error" : "";
  const isLoaded = state == "load";
  let isDrawn;
  for (const each of new Set([element, image ?? element, image?.parentElement?.closest(selector) ?? element])) {
    each.toggleAttribute("data-loaded", isLoaded);
    clear(each);
    // The copy of an element that was loading has its placeholder.
    for (const name of isLoaded && !/lqip|url/.test(each.style.cssText) ? [] : names) {
      try {
        if (!each.hasAttribute(name)) continue;
        for (const style of Object.entries(kinds[name](each.getAttribute(name)))) set(each, ...style);
        isDrawn = true;
      } catch (error) {
        console.warn(name, error);
      }
    }
    if (isLoaded) clear(each);
  }
  if (!image) return;
  image.toggleAttribute("data-failed", state == "error");
  // Firefox and Safari would show the alternative text over the placeholder.
  if (isDrawn && !state) set(image, "color", "transparent");
  else if (image.style.color == "transparent") image.style.color = "";
}

async function settle({ type, target: image }) {
  if (!image.matches?.("img") || !image.closest(selector) && !changes.has(image)) return;
  if (type == "load") {
    image.toggleAttribute("data-loaded", true);
    // The image may be fading in over its placeholder. Other animations may never end.
    await Promise.allSettled(image.getAnimations().map(({ playState, effect, finished }) =>
      playState == "running" && effect.getComputedTiming().endTime < 9999 && finished));
    if (!image.matches("[data-loaded]")) return;
  }
  update(image, type);
}

function visit(records) {
  const holders = new Set();
  let last;
  for (const { attributeName, target, addedNodes } of records) {
    if (attributeName) holders.add(target);
    for (const root of addedNodes) {
      // The parser reports each element of a tree, from the top.
      if (!root.closest || last?.contains(root)) continue;
      last = root;
      for (const holder of [root.closest(selector), ...root.querySelectorAll(selector)]) holders.add(holder);
    }
  }
  holders.delete(null);
  for (const holder of holders) update(holder);
}

for (const type of ["load", "error"]) document.addEventListener(type, settle, true);
new MutationObserver(visit).observe(document, { subtree: true, childList: true, attributeFilter: names });
visit([{ addedNodes: [document.documentElement] }]);
