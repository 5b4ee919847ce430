const tries = 5;
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A failed request or image, with the server's message if it sent one. */
export class Problem extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }

  /** Whether the same request may succeed later; status 0 stands for a network error. */
  get isTransient() {
    return [0, 503, 504].includes(this.status);
  }
}

/** Sends a request to this server, and retries while the server is busy. */
export async function call(path, init = {}, file) {
  for (let left = tries; ; left -= 1) {
    const token = sessionStorage.getItem("token");
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    let response;
    try {
      response = await fetch(path, { ...init, headers });
    } catch {
      const isReadable = await file?.arrayBuffer().then(() => true, () => false) ?? true;
      throw isReadable
        ? new Problem("The server could not be reached.", 0)
        : new Problem("The file could not be read. It may have been moved or changed.", 422);
    }
    if (response.ok) return response;
    const { detail = `The server responded with status ${response.status}.` } = await response.json().catch(() => ({}));
    const seconds = Number(response.headers.get("retry-after"));
    const isOutdated = response.status === 401 && token !== sessionStorage.getItem("token");
    if (left === 1 || !(seconds || isOutdated)) throw new Problem(detail, response.status);
    await pause(seconds * 1000);
  }
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the curl command that uploads the file of this name in the current directory. */
export function curl(name, type, query, kind) {
  const choices = new URLSearchParams({ ...kind === "average_color" ? {} : { kinds: kind }, ...query });
  const target = `v1/encode${choices.size ? `?${choices}` : ""}`.replaceAll("%2C", ",");
  return [
    "curl", ...sessionStorage.getItem("token") ? ['-H "Authorization: Bearer $TOKEN"'] : [],
    `-H 'Content-Type: ${type}' --data-binary ${quoted(`@${name}`)}`,
    quoted(new URL(target, location.href).href),
  ].join(" ");
}

const attribute = ([name, value]) =>
  ` ${name}="${`${value}`.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;

/** Returns the `img` attribute for a placeholder. */
function placeholder(kind, record) {
  const value = record[kind];
  switch (kind) {
    case "lqip": return { style: `--lqip:${value}${record.lqip2 ? `;--lqip2:${record.lqip2}` : ""}` };
    case "css": return { style: `--lqip-css:${value}` };
    case "average_color": return { style: `background:${value}` };
    case "palette": return { style: `background:${value[0]?.color}` };
    case "preview": case "svg": return { style: `background:url("${value}") 0 0/100% 100%` };
    default: return { [`data-${kind}`]: value };
  }
}

/** Returns the HTML of an image, with a placeholder unless it would show through the image. */
export function markup(path, record, kind) {
  const { width, height, opaque } = record;
  const shown = placeholder(kind, record);
  const isLeftOut = !opaque && "style" in shown;
  const src = path.split("/").map(encodeURIComponent).join("/");
  const values = { src, width, height, alt: "", loading: "lazy", ...isLeftOut ? {} : shown };
  return {
    html: `<img${Object.entries(values).map(attribute).join("")}>`,
    remark: isLeftOut ? "HTML without a placeholder, which would show through this transparent image" : "HTML",
  };
}
