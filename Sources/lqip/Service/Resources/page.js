import { filesOf } from "./files.js";
import { Item } from "./item.js";
import { prepare } from "./local.js";
import "./picture.js";

const find = (selector) => document.querySelector(selector);
const list = find(".images");
const picker = find("input[type=file]");
const options = find(".options");
const access = find(".access");
const local = find(".local input");
const progress = find(".progress");

/** The number of concurrent encode requests. Browsers open six connections per host, and previews need some. */
const slots = 4;

const kind = () => find("[name=kind]:checked").value;

const choices = () => Object.fromEntries(new FormData(options));
const defaults = choices();

/** The options that differ from the defaults, as a query. */
const query = () => Object.fromEntries(Object.entries(choices()).filter(([name, value]) =>
  value && value !== defaults[name]));

let items = [];
/** The paths of files in folders that are no images. */
let skipped = [];
let queue = [];
let running = 0;

/** Encodes queued images until the queue is empty or the server asks for a token. */
async function work() {
  if (running === slots || !queue.length || !access.hidden) return;
  running += 1;
  const item = queue.shift();
  try {
    await item.run(local.checked ? undefined : query(), kind);
  } catch (problem) {
    queue.unshift(item);
    if (access.hidden) askForToken(problem.message);
  } finally {
    running -= 1;
  }
  report();
  work();
}

function start(more) {
  for (const item of more) item.restart();
  queue.push(...more);
  report();
  for (let slot = 0; slot < slots; slot += 1) work();
}

const retryable = () => items.filter(({ problem, outcome }) => outcome && problem?.isTransient);

/** Shows the progress; screen readers announce only the final count. */
function report() {
  const left = items.filter(({ outcome }) => !outcome).length;
  const failed = items.filter(({ outcome }) => outcome === "failed").length;
  const done = items.length - left;
  const hasFiles = items.length + skipped.length > 0;
  const text = left ? `${done} of ${items.length}` : `${done - failed} encoded`;
  const more = skipped.length > 3 ? ` and ${skipped.length - 3} more` : "";
  const rest = skipped.length ? `, ${skipped.length} skipped (${skipped.slice(0, 3).join(", ")}${more})` : "";
  progress.textContent = hasFiles ? text + (failed ? `, ${failed} failed` : "") + rest : "";
  find(".retry").hidden = left > 0 || !retryable().length;
  find(".failures").hidden = !failed;
  document.body.classList.toggle("filled", hasFiles);
  if (!left) find(".status").textContent = progress.textContent;
}

function add(files) {
  const more = [...files].map((file) => new Item(file));
  if (!more.length) return;
  list.prepend(...more.map(({ card }) => card));
  items = [...more, ...items];
  start(more);
}

function askForToken(reason) {
  const isSecond = sessionStorage.getItem("token") !== null;
  sessionStorage.removeItem("token");
  access.hidden = false;
  access.querySelector("p").textContent = isSecond ? reason : "";
  access.elements.token.focus();
}

access.addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem("token", access.elements.token.value.trim());
  access.reset();
  access.hidden = true;
  picker.focus();
  start([]);
});

picker.addEventListener("change", () => {
  add(picker.files);
  picker.value = "";
});
addEventListener("paste", ({ clipboardData }) => add(clipboardData.files));

const carriesFiles = ({ dataTransfer }) => dataTransfer.types.includes("Files");
addEventListener("dragover", (event) => {
  if (!carriesFiles(event)) return;
  event.preventDefault();
  document.body.classList.add("dragging");
});
addEventListener("dragleave", ({ relatedTarget }) => {
  if (!relatedTarget) document.body.classList.remove("dragging");
});
addEventListener("drop", (event) => {
  document.body.classList.remove("dragging");
  if (!carriesFiles(event)) return;
  event.preventDefault();
  filesOf(event.dataTransfer).then(({ files, others }) => {
    skipped.push(...others);
    add(files);
    report();
  }, ({ message }) => { progress.textContent = message; });
});

find(".try").addEventListener("click", async () => {
  const samples = [...document.querySelectorAll("img.stage")].map(async ({ src }) => {
    const blob = await (await fetch(src)).blob();
    return new File([blob], src.split("/").at(-1), { type: blob.type });
  });
  try {
    add(await Promise.all(samples));
  } catch {
    find(".actions small").textContent = "The server could not be reached.";
  }
});

find(".kinds").addEventListener("change", () => {
  for (const item of items) item.choose(kind());
});

local.addEventListener("change", async () => {
  try {
    if (local.checked) await prepare();
  } catch ({ message }) {
    local.checked = false;
    progress.textContent = message;
    return;
  }
  access.hidden = true;
  find(".settings").hidden = local.checked;
  for (const name of ["preview", "svg", "palette"]) find(`[name=kind][value=${name}]`).disabled = local.checked;
  if (find("[name=kind]:checked").disabled) find("[name=kind][value=lqip]").checked = true;
  encodeAll();
});

function encodeAll() {
  if (!options.reportValidity()) return;
  queue = [];
  start(items);
}
options.addEventListener("change", encodeAll);
options.addEventListener("submit", (event) => event.preventDefault());
options.addEventListener("reset", () => setTimeout(encodeAll));

find(".retry").addEventListener("click", () => start(retryable()));
find(".clear").addEventListener("click", () => {
  for (const item of items) item.forget();
  items = queue = [];
  skipped = [];
  report();
  picker.focus();
});
find(".failures").addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button) start(items.filter(({ failure }) => failure.contains(button)));
});

// Browsers without typed attr() need the value in a custom property.
for (const placeholder of document.querySelectorAll("[data-lqip]")) {
  placeholder.style.setProperty("--lqip", placeholder.dataset.lqip);
  const image = placeholder.previousElementSibling.cloneNode();
  image.className = "over";
  placeholder.append(image);
}
