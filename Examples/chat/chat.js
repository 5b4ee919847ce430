import { load, open, send } from "./pipeline.js";

const find = (selector, root = document) => root.querySelector(selector);
const [log, list, form, newer] = ["main", "ol", "form", ".newer"].map((each) => find(each));
const [text, chooser, attachment] = [".message", "[type=file]", ".attachment"].map((each) => find(each, form));
const makeID = () =>
  crypto.getRandomValues(new Uint8Array(16)).reduce((text, byte) => text + byte.toString(16).padStart(2, "0"), "");
const me = localStorage.sender ??= makeID();
/** The elements of messages by the IDs that their senders gave them: a message is shown once. */
const shown = new Map();
let [isAtBottom, height, isLoading, first, last, picture] = [true, 0, false, 2 ** 53, 0];

/** Returns the size of a picture's box, from the message alone: small enough for a phone, large enough for a finger. */
function boxSize({ width, height }) {
  if (!(width > 0 && height > 0)) return [240, 180];
  const sides = [width, height].map((side) => Math.min(side, 16384));
  const scale = Math.min(1, 300 / sides[0], 360 / sides[1]);
  return sides.map((side) => Math.max(44, Math.round(side * scale)));
}

function showPicture(box, message, url) {
  const { file, alt, name } = message;
  const [image, [width, height]] = [find("img", box), boxSize(file)];
  box.style.setProperty("--width", `${width}px`);
  box.style.setProperty("--shape", `${width} / ${height}`);
  image.alt = alt || `Picture from ${name}, without a description`;
  if (url) return void (image.src = box.href = url);
  // The other kinds are opaque, and would show through a transparent picture that fades in.
  const kind = file.opaque === false ? "thumbhash" : find(".kind").value;
  if (file[kind]) box.dataset[kind] = file[kind];
  box.classList.toggle("covered", !!file[kind]);
  if (!file.animated || !matchMedia("(prefers-reduced-motion: reduce)").matches) return load(image, message);
  box.classList.add("paused");
  box.href = location.href;
  box.addEventListener("click", (event) => {
    event.preventDefault();
    box.classList.remove("paused");
    load(image, message);
  }, { once: true });
}

/** Returns the element of a message; `url` is that of a picture on this device. */
function create(message, url) {
  const item = find("template").content.firstElementChild.cloneNode(true);
  for (const field of ["name", "text"]) find(`.${field}`, item).textContent = message[field];
  item.classList.toggle("mine", message.sender == me);
  if (message.file) showPicture(find(".picture", item), message, url);
  else find(".picture", item).remove();
  setTime(item, message.sent);
  shown.set(message.client, item);
  return item;
}

/** Shows what has become of a message: its time, or what its sender can do. */
function setState(item, ...content) {
  item.classList.toggle("failed", content.length > 1);
  find(".state", item).replaceChildren(...content);
  find("progress", item)?.toggleAttribute("hidden", content[0] != "Sending…");
}

const setTime = (item, sent) =>
  setState(item, sent ? new Date(sent).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) : "");

/** Adds elements at the end, or above the others, which stay where they are. Repeated names are hidden. */
function add(items, isEarlier) {
  const anchor = list.firstElementChild;
  const name = (item) => item && find(".name", item).textContent;
  const previous = isEarlier ? undefined : list.lastElementChild;
  items.forEach((item, index) => item.classList.toggle("next", name(items[index - 1] ?? previous) == name(item)));
  const top = anchor?.offsetTop;
  list[isEarlier ? "prepend" : "append"](...items);
  if (isEarlier && anchor) log.scrollTop += anchor.offsetTop - top;
  else newer.hidden = isAtBottom;
}

async function receive(message) {
  const opened = await open(message);
  if (shown.has(message.client)) setTime(shown.get(message.client), opened.sent);
  else add([create(opened)]);
}

async function loadEarlier() {
  if (isLoading || first <= 1) return;
  isLoading = true;
  try {
    const response = await fetch(`messages?before=${first}`);
    const messages = await Promise.all((await response.json()).map(open));
    last ||= messages.at(-1)?.id ?? 0;
    first = messages[0]?.id ?? 1;
    add(messages.map((message) => create(message)), true);
  } finally {
    isLoading = false;
  }
}

async function deliver(item, message) {
  const button = (textContent, action) =>
    Object.assign(document.createElement("button"), { textContent, onclick: () => { text.focus(); action(); } });
  try {
    setState(item, "Sending…");
    await send(message, (part) => { find("progress", item).value = part; });
    setTime(item, message.sent);
  } catch ({ message: reason, isFinal }) {
    const retry = button("Retry", () => deliver(item, message));
    setState(item, `Not sent: ${reason}.`, ...isFinal ? [] : [retry], button("Remove", () => item.remove()));
  }
}

function attach(file) {
  picture = file && Object.assign(new Image(), { src: URL.createObjectURL(file) });
  find("img", attachment).src = picture?.src ?? "data:,";
  attachment.hidden = !file;
}

form.onsubmit = async (event) => {
  event.preventDefault();
  const [upload, image, name] = [chooser.files[0], picture, find(".name").value.trim() || "Guest"];
  const [body, alt] = [text.value.trim(), find(".alt").value.trim()];
  if (!upload && !body) return;
  form.reset();
  attach();
  text.focus();
  const message = { client: makeID(), sender: me, sent: new Date(), name, text: body, alt, upload };
  await image?.decode().catch(() => {});
  if (image) message.file = { width: image.naturalWidth, height: image.naturalHeight };
  isAtBottom = true;
  const item = create(message, image?.src);
  add([item]);
  deliver(item, message);
};
chooser.onchange = () => attach(chooser.files[0]);
find(".detach").onclick = () => { chooser.value = ""; attach(); text.focus(); };
newer.onclick = () => { log.scrollTop = log.scrollHeight; };
log.onscroll = () => {
  // A keyboard that opens scrolls too, but not the reader.
  if (log.clientHeight == height) isAtBottom = log.scrollHeight - log.scrollTop - height < 48;
  newer.hidden ||= isAtBottom;
  if (log.scrollTop < 1000) loadEarlier();
};
const stay = new ResizeObserver(() => {
  height = log.clientHeight;
  if (isAtBottom) log.scrollTop = log.scrollHeight;
});
for (const each of [log, list]) stay.observe(each);
for (const [field, start] of [[find(".name"), "Guest"], [find(".kind"), "lqip"]]) {
  field.value = localStorage[field.className] ?? start;
  field.addEventListener("change", () => { localStorage[field.className] = field.value; });
}
find(".kind").addEventListener("change", () => location.reload());

await loadEarlier();
const source = new EventSource(`events?after=${last}`);
let queue = Promise.resolve();
source.onmessage = ({ data }) => { queue = queue.then(() => receive(JSON.parse(data))).catch(console.error); };
source.onopen = () => { find(".status").textContent = ""; };
source.onerror = () => { find(".status").textContent = "Reconnecting…"; };
