import { filesOf } from "./files.js";
import { Item } from "./item.js";
import { pause } from "./service.js";

const list = document.querySelector("ol");
const picker = document.querySelector("input[type=file]");
const options = document.querySelector(".options");
const access = document.querySelector(".access");
const status = document.querySelector(".status");
const progress = document.querySelector(".progress");
const retry = document.querySelector(".retry");
const clear = document.querySelector(".clear");

/** As many at a time as a browser opens connections, less some for the previews. */
const slots = 4;

/** What is chosen, of each name its values with commas between them. */
function choices() {
  const data = new FormData(options);
  return Object.fromEntries([...data.keys()].map((name) => [name, data.getAll(name).join()]));
}

const defaults = choices();

/** The options that are neither the default nor empty, as the query says them. */
function query() {
  const chosen = Object.entries(choices()).filter(([name, value]) =>
    value && value !== defaults[name]);
  return chosen.length ? `?${new URLSearchParams(chosen)}`.replaceAll("%2C", ",") : "";
}

let items = [];
let queue = [];
let running = 0;

/** Runs what is in the queue until it is empty or the server wants a token. */
async function work() {
  if (running === slots || !queue.length || !access.hidden) return;
  running += 1;
  const item = queue.shift();
  try {
    await item.run(query());
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

const failures = () => items.filter(({ outcome }) => outcome === "problem");

/** Shows how far it is; screen readers hear only the final count. */
function report() {
  const left = items.filter(({ outcome }) => !outcome).length;
  const failed = failures().length;
  const done = items.length - left;
  const text = left ? `${done} of ${items.length}` : `${done - failed} encoded`;
  progress.textContent = items.length ? text + (failed ? `, ${failed} failed` : "") : "";
  retry.hidden = left > 0 || !failed;
  clear.hidden = !items.length;
  document.body.classList.toggle("filled", items.length > 0);
  if (!left) status.textContent = progress.textContent;
}

function add(files) {
  const more = [...files].map((file) => new Item(file));
  if (!more.length) return;
  list.prepend(...more.map(({ element }) => element));
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
  filesOf(event.dataTransfer).then(add, ({ message }) => { progress.textContent = message; });
});

function again() {
  if (!options.reportValidity()) return;
  queue = [];
  start(items);
}
options.addEventListener("change", again);
options.addEventListener("submit", (event) => event.preventDefault());
options.addEventListener("reset", () => setTimeout(again));

retry.addEventListener("click", () => start(failures()));
clear.addEventListener("click", () => {
  for (const item of items) item.forget();
  items = queue = [];
  report();
  picker.focus();
});

async function copy(button) {
  const [name, code] = [button.previousElementSibling, button.nextElementSibling];
  let outcome = "Copied";
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    getSelection().selectAllChildren(code);
    if (!document.execCommand("copy")) outcome = "Selected";
  }
  button.textContent = outcome;
  status.textContent = `${name.textContent}: ${outcome.toLowerCase()}`;
  await pause(1500);
  button.textContent = "Copy";
}
list.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button?.textContent === "Copy") copy(button);
  if (button?.textContent === "Retry") start(items.filter(({ element }) => element.contains(button)));
});

// Where attr() knows no types, the value has to stand in a property.
for (const tile of document.querySelectorAll("[data-lqip]")) {
  tile.style.setProperty("--lqip", tile.dataset.lqip);
}
