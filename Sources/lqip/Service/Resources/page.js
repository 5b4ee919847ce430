import { filesOf, formats, size } from "./files.js";
import { call, curl, markup, pause, previewOf, Problem } from "./service.js";

const template = document.querySelector("template");
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

const defaults = new FormData(options);

/** The options that are neither the default nor empty, as the query says them. */
function query() {
  const chosen = [...new FormData(options)].filter(([name, value]) =>
    value && value !== defaults.get(name));
  return chosen.length ? `?${new URLSearchParams(chosen)}` : "";
}

/** One image on the page, from its file to its placeholders or to the reason why it has none. */
class Item {
  turn = 0;

  constructor(file) {
    this.file = file;
    this.path = file.path ?? file.name;
    this.source = URL.createObjectURL(file);
    this.element = template.content.firstElementChild.cloneNode(true);
    this.find("bdi").textContent = this.path;
  }

  /** Whatever runs for it does not count any more. */
  restart() {
    this.turn += 1;
    this.outcome = undefined;
    this.element.classList.add("again");
  }

  find(selector) {
    return this.element.querySelector(selector);
  }

  async run() {
    const { turn } = this;
    const target = `v1/encode${query()}`;
    let show;
    try {
      // In a form, a file that is no image is a record too, and not a complaint in the console.
      const body = new FormData();
      body.append("file", this.file);
      const response = await call(target, { method: "POST", body });
      const [record] = await response.json();
      const milliseconds = /total;dur=([0-9.]+)/.exec(response.headers.get("server-timing"))?.[1];
      if (record.error) throw new Problem(record.error.code, record.error.message);
      const preview = await previewOf(record);
      show = () => this.show(record, preview, milliseconds, target);
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status === 401) throw problem;
      show = () => this.fail(problem);
    }
    // The options may have changed in the meantime.
    if (turn === this.turn) show();
  }

  show(record, preview, milliseconds, target) {
    this.settle("result");
    this.find(".facts").textContent = [
      `${record.width} × ${record.height}`, formats[record.mimetype], size(record.bytes),
      ...milliseconds ? [`${Number(milliseconds).toFixed(1)} ms`] : [],
    ].join(", ");
    const panes = this.find(".panes").style;
    for (const name of ["width", "height"]) panes.setProperty(`--${name}`, record[name]);
    panes.setProperty("--color", record.average_color);
    this.find(".original").src = this.source;
    URL.revokeObjectURL(this.find(".preview").src);
    this.find(".preview").src = URL.createObjectURL(preview);
    for (const name of ["lqip", "lqip2"]) {
      this.find(".lqip").style.setProperty(`--${name}`, record[name] ?? "");
    }
    const [html, shell] = [markup(this.path, record), curl(this.path, record.mimetype, target)];
    const strings = { ...record, html, curl: shell };
    for (const part of this.element.querySelectorAll(".string")) {
      const text = strings[part.dataset.name];
      part.hidden = !text;
      part.querySelector("code").textContent = text ?? "";
    }
    this.find(".warnings").replaceChildren(...record.warnings.map((text) =>
      Object.assign(document.createElement("li"), { textContent: text })));
  }

  fail({ code, message }) {
    this.settle("problem");
    this.find(".facts").textContent = size(this.file.size);
    this.find(".problem b").textContent = code;
    this.find(".problem span").textContent = message;
  }

  settle(outcome) {
    this.outcome = outcome;
    this.element.classList.remove("waiting", "again");
    for (const name of ["result", "problem"]) this.find(`.${name}`).hidden = name !== outcome;
  }

  forget() {
    this.turn = -1;
    URL.revokeObjectURL(this.source);
    URL.revokeObjectURL(this.find(".preview").src);
    this.element.remove();
  }
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
    await item.run();
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
