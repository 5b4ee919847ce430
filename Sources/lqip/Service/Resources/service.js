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

/** The image as a page has it, with its size and its placeholder. */
export function markup(path, { width, height, lqip, lqip2 }) {
  const style = `--lqip:${lqip}${lqip2 ? `;--lqip2:${lqip2}` : ""}`;
  const values = { src: path.split("/").map(encodeURIComponent).join("/"), width, height };
  return `<img${Object.entries({ ...values, alt: "", loading: "lazy", style })
    .map((entry) => attribute(...entry)).join("")}>`;
}

/** The BlurHash as viewers draw it: small, and enlarged by the browser. */
export async function previewOf({ blurhash, width, height }) {
  const longSide = Math.max(width, height);
  const side = (length) => Math.max(1, Math.round(length * previewSide / longSide));
  const query = new URLSearchParams({ blurhash, width: side(width), height: side(height) });
  return (await call(`v1/decode?${query}`)).blob();
}
