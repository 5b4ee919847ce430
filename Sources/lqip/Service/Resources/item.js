import * as blurhash from "./blurhash.js";
import { formats, size } from "./files.js";
import { encodeHere } from "./local.js";
import { toDataURL } from "./png.js";
import { call, curl, markup, Problem } from "./service.js";
import * as thumbhash from "./thumbhash.js";

/** The display names of all kinds that the page can show. */
export const kinds = {
  lqip: "LQIP", blurhash: "BlurHash", thumbhash: "ThumbHash", tiny: "Tiny JPEG", preview: "Preview", svg: "SVG",
  css: "CSS integer", average_color: "Average color", palette: "Palette",
};
const requested = ["blurhash", "lqip", "thumbhash", "tiny", "preview", "svg", "css", "palette"];
const previewSide = 32;

const clone = (name) => document.querySelector(`#${name}`).content.firstElementChild.cloneNode(true);
const element = (tag, properties) => Object.assign(document.createElement(tag), properties);

function swatch({ color, share }) {
  const item = element("li", { textContent: `${color} ${Math.round(share * 100)} %` });
  item.style.setProperty("--swatch", color);
  return item;
}

/** Renders a hash as a small image, which the browser enlarges. */
function drawing({ decode }, hash, { width, height }) {
  const [x, y] = [width, height].map((length) => Math.max(1, Math.round(length * previewSide / Math.max(width, height))));
  return toDataURL(decode(hash, x, y), x, y);
}

/** The stripes of a palette, as wide as the shares of the colors. */
function stripes(palette) {
  let end = 0;
  const stops = palette.map(({ color, share }) => `${color} ${end}% ${end += share * 100}%`);
  return `linear-gradient(90deg, ${stops})`;
}

/** Formats an error message as a sentence. */
const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

/** An image on the page: a card, or an entry in the list of failures. */
export class Item {
  /** Incremented by each restart, so that the results of older requests are ignored. */
  generation = 0;

  constructor(file) {
    this.file = file;
    this.path = file.path ?? file.name;
    this.source = URL.createObjectURL(file);
    this.card = clone("card");
    this.failure = clone("failure");
    for (const each of [this.card, this.failure]) each.querySelector("bdi").textContent = this.path;
    this.find("h2").title = this.path;
    this.find(".larger").ariaLabel = `All placeholders of ${this.path}`;
  }

  find(selector) {
    return this.card.querySelector(selector);
  }

  /** Prepares the item for another request. */
  restart() {
    this.generation += 1;
    this.outcome = undefined;
    this.card.hidden = false;
    this.failure.remove();
    this.card.classList.add("again");
  }

  /** Encodes the image: on the server, or in this browser if there is no query. */
  async run(query, kind) {
    const { generation } = this;
    let show;
    try {
      const record = query ? await this.upload(query) : await encodeHere(this.file);
      show = () => this.show(record, query, kind());
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status === 401) throw problem;
      show = () => this.fail(problem);
    }
    // After a change of the options, another request is in flight.
    if (generation === this.generation) show();
  }

  async upload(query) {
    const target = `v1/encode?${new URLSearchParams({ kinds: requested, ...query })}`;
    const response = await call(target, { method: "POST", body: this.file }, this.file);
    return response.json();
  }

  show(record, query, kind) {
    Object.assign(this, { record, query, outcome: "encoded", problem: undefined });
    this.card.classList.remove("waiting", "again");
    this.card.classList.toggle("transparent", !record.opaque);
    this.card.classList.toggle("wide", record.width > 2 * record.height);
    this.find(".facts").replaceChildren(...[
      `${record.width} × ${record.height}`, formats[record.mimetype], size(record.bytes),
    ].flatMap((textContent) => [element("span", { textContent }), " "]));
    for (const name of ["width", "height"]) this.card.style.setProperty(`--${name}`, record[name]);
    for (const layer of this.card.querySelectorAll(".layer")) {
      const value = record[layer.dataset.kind];
      layer.hidden = value === undefined;
      if (layer.hidden) continue;
      switch (layer.dataset.kind) {
        case "lqip":
          layer.style.setProperty("--lqip", value);
          layer.style.setProperty("--lqip2", record.lqip2 ?? "");
          break;
        case "css": layer.style.setProperty("--lqip-css", value); break;
        case "average_color": layer.style.background = value; break;
        case "palette": layer.style.background = stripes(value); break;
        case "blurhash": layer.src = drawing(blurhash, value, record); break;
        case "thumbhash": layer.src = drawing(thumbhash, value, record); break;
        case "tiny": layer.src = `data:image/jpeg;base64,${layer.dataset.header}${value}/9k=`; break;
        case "preview": case "svg": layer.src = value; break;
      }
    }
    const texts = {
      ...record, lqip: [record.lqip, record.lqip2].filter(Boolean).join(" "),
      palette: record.palette?.map(({ color }) => color).join(" "),
    };
    const shown = Object.entries(kinds).filter(([name]) => texts[name] !== undefined);
    for (const each of this.card.querySelectorAll(".string")) each.hidden = texts[each.dataset.name] === undefined;
    for (const [name] of shown) this.find(`[data-name=${name}] code`).textContent = texts[name];
    this.find("summary").replaceChildren(...shown.map(([name, title]) => {
      const part = element("span", { textContent: `${title}, ${`${texts[name]}`.length} characters` });
      part.dataset.kind = name;
      return part;
    }));
    this.find(".palette").replaceChildren(...(record.palette ?? []).map(swatch));
    for (const each of this.card.querySelectorAll(".warning")) each.remove();
    this.find(".facts").after(...record.warnings.map((text) =>
      element("p", { className: "warning", textContent: sentence(text) })));
    this.find(".strings").hidden = false;
    for (const name of [".original", ".over"]) this.find(name).src = this.source;
    this.choose(kind);
  }

  /** Updates the card to the chosen kind of placeholder. */
  choose(kind) {
    if (!this.record) return;
    const { record, path, query } = this;
    const { html, remark } = markup(path, record, kind);
    this.find("[data-name=html] span").textContent = remark;
    this.find("[data-name=html] code").textContent = html;
    this.find("[data-name=html]").hidden = false;
    this.find("[data-name=curl]").hidden = !query;
    if (query) this.find("[data-name=curl] code").textContent = curl(path, record.mimetype, query, kind);
  }

  fail(problem) {
    Object.assign(this, { outcome: "failed", problem });
    this.card.hidden = true;
    this.failure.querySelector("p").textContent = sentence(problem.message);
    this.failure.querySelector("button").hidden = !problem.isTransient;
    document.querySelector(".failures ol").append(this.failure);
  }

  forget() {
    this.generation = -1;
    URL.revokeObjectURL(this.source);
    this.card.remove();
    this.failure.remove();
  }
}
