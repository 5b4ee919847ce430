/** The formats that are read, by their media types. */
export const formats = {
  "image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WebP", "image/gif": "GIF",
};

/** A count of bytes in the largest unit of which there is one. */
export function size(bytes) {
  if (bytes < 1e3) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const promised = (object, method) =>
  new Promise((resolve, reject) => object[method](resolve, reject));

/** What was dropped: files as they are, or with folders, all images in these and beside them. */
export async function filesOf({ files, items }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  return entries.some(({ isDirectory }) => isDirectory) ? imagesIn(entries) : [...files];
}

async function imagesIn(entries) {
  const images = [];
  for (const entry of entries) {
    if (entry.isDirectory) {
      const reader = entry.createReader();
      // It gives some at a time, and in the end none.
      for (let more; (more = await promised(reader, "readEntries")).length;) {
        images.push(...await imagesIn(more));
      }
    } else {
      const file = await promised(entry, "file");
      if (file.type in formats) images.push(Object.assign(file, { path: entry.fullPath.slice(1) }));
    }
  }
  return images;
}
