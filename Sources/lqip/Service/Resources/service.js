const tries = 5;
const previewSide = 32;
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A failed request, with the server's error code and message where it gave them. */
export class Problem extends Error {
  constructor(code, detail, status = 0) {
    super(detail);
    Object.assign(this, { code, status });
  }
}

/** Requests something of this server, again where it is busy. */
export async function call(path, init = {}) {
  for (let left = tries; ; left -= 1) {
    const token = sessionStorage.getItem("token");
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    let response;
    try {
      response = await fetch(path, { ...init, headers });
    } catch {
      throw new Problem("no_answer", "The server could not be reached, or the file could not be read.");
    }
    if (response.ok) return response;
    const { code = response.status, detail = response.statusText } =
      await response.json().catch(() => ({}));
    const seconds = Number(response.headers.get("retry-after"));
    const isOutdated = response.status === 401 && token !== sessionStorage.getItem("token");
    if (left === 1 || !(seconds || isOutdated)) throw new Problem(code, detail, response.status);
    await pause(seconds * 1000);
  }
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The command that does the same, from the file's own directory. */
export function curl(name, type, target) {
  return [
    "curl", ...sessionStorage.getItem("token") ? ['-H "Authorization: Bearer $TOKEN"'] : [],
    `-H 'Content-Type: ${type}' --data-binary ${quoted(`@${name}`)}`,
    quoted(new URL(target, location.href).href),
  ].join(" ");
}

const attribute = (name, value) =>
  ` ${name}="${`${value}`.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;

/** What a stylesheet draws a kind by, in a style. */
export function properties(kind, { lqip, lqip2, css }) {
  switch (kind) {
    case "lqip": return { "--lqip": lqip, "--lqip2": lqip2 };
    case "css": return { "--lqip-css": css };
    default: return {};
  }
}

/** The image as a page has it, with its size, and with a placeholder unless that would stay behind it. */
export function markup(path, record) {
  const { width, height, opaque } = record;
  const style = Object.entries(properties(record.lqip ? "lqip" : "css", record))
    .filter(([, value]) => value !== undefined).map((entry) => entry.join(":")).join(";");
  const src = path.split("/").map(encodeURIComponent).join("/");
  const values = { src, width, height, alt: "", loading: "lazy", ...opaque && style && { style } };
  return `<img${Object.entries(values).map((entry) => attribute(...entry)).join("")}>`;
}

/** The images that show a record, by kind, as blobs or URLs: hashes small, for the browser to enlarge. */
export async function drawingsOf(record) {
  const { width, height, preview, svg } = record;
  const longSide = Math.max(width, height);
  const side = (length) => Math.max(1, Math.round(length * previewSide / longSide));
  const hashes = ["blurhash", "thumbhash"].filter((kind) => record[kind]).map(async (kind) => {
    const query = new URLSearchParams({
      [kind]: record[kind], width: side(width), height: side(height) });
    return [kind, await (await call(`v1/decode?${query}`)).blob()];
  });
  return { ...Object.fromEntries(await Promise.all(hashes)), preview, svg };
}
