import { formats, size } from "./files.js";
import { call, curl, drawingsOf, markup, Problem, properties } from "./service.js";

const template = document.querySelector("template");

/** A color of an image, with the part of it that has the color. */
function swatch({ color, share }) {
  const text = `${color} ${Math.round(share * 100)} %`;
  const element = Object.assign(document.createElement("li"), { textContent: text });
  element.style.setProperty("--swatch", color);
  return element;
}

/** One image on the page, from its file to its placeholders or to the reason why it has none. */
export class Item {
  turn = 0;

  constructor(file) {
    this.file = file;
    this.path = file.path ?? file.name;
    this.source = URL.createObjectURL(file);
    this.element = template.content.firstElementChild.cloneNode(true);
    this.find("bdi").textContent = this.path;
  }

  /** Discards the result of a request that is under way. */
  restart() {
    this.turn += 1;
    this.outcome = undefined;
    this.element.classList.add("again");
  }

  find(selector) {
    return this.element.querySelector(selector);
  }

  async run(query) {
    const { turn } = this;
    const target = `v1/encode${query}`;
    let show;
    try {
      // In a form, a file that is no image is a record too, and not a complaint in the console.
      const body = new FormData();
      body.append("file", this.file);
      const response = await call(target, { method: "POST", body });
      const [record] = await response.json();
      const milliseconds = /total;dur=([0-9.]+)/.exec(response.headers.get("server-timing"))?.[1];
      if (record.error) throw new Problem(record.error.code, record.error.message);
      const drawings = await drawingsOf(record);
      show = () => this.show(record, drawings, milliseconds, target);
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status === 401) throw problem;
      show = () => this.fail(problem);
    }
    // The options may have changed in the meantime.
    if (turn === this.turn) show();
  }

  show(record, drawings, milliseconds, target) {
    this.settle("result");
    this.find(".facts").textContent = [
      `${record.width} × ${record.height}`, formats[record.mimetype], size(record.bytes),
      ...milliseconds ? [`${Number(milliseconds).toFixed(1)} ms`] : [],
    ].join(", ");
    const panes = this.find(".panes").style;
    for (const name of ["width", "height"]) panes.setProperty(`--${name}`, record[name]);
    panes.setProperty("--color", record.average_color);
    this.find(".original").src = this.source;
    this.forgetDrawings();
    for (const figure of this.element.querySelectorAll("[data-kind]")) {
      const { kind } = figure.dataset;
      const picture = figure.querySelector(".picture");
      const drawing = drawings[kind];
      figure.hidden = record[kind] === undefined;
      if (drawing) picture.src = drawing instanceof Blob ? URL.createObjectURL(drawing) : drawing;
      for (const [name, value] of Object.entries(properties(kind, record))) {
        picture.style.setProperty(name, value ?? "");
      }
    }
    const isLeftOut = !record.opaque && (record.lqip ?? record.css) !== undefined;
    this.find("[data-name=html] span").textContent = isLeftOut
      ? "HTML, without a placeholder, which would stay behind the transparent image" : "HTML";
    const [html, shell] = [markup(this.path, record), curl(this.path, record.mimetype, target)];
    const strings = { ...record, html, curl: shell };
    for (const part of this.element.querySelectorAll(".string")) {
      const text = strings[part.dataset.name];
      part.hidden = text === undefined;
      part.querySelector("code").textContent = text ?? "";
    }
    this.find(".palette").replaceChildren(...(record.palette ?? []).map(swatch));
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

  /** Frees the drawings: the browser keeps a blob as long as its URL. */
  forgetDrawings() {
    for (const { src } of this.element.querySelectorAll("[data-kind] img")) URL.revokeObjectURL(src);
  }

  forget() {
    this.turn = -1;
    URL.revokeObjectURL(this.source);
    this.forgetDrawings();
    this.element.remove();
  }
}
