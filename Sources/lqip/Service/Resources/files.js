/** The supported formats by media type. */
export const formats = {
  "image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WebP", "image/gif": "GIF",
  "image/avif": "AVIF", "image/heic": "HEIC", "image/heif": "HEIF",
};

/** Formats a byte count with a suitable unit. */
export function size(bytes) {
  if (bytes < 1e3) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const promised = (object, method) =>
  new Promise((resolve, reject) => object[method](resolve, reject));

/** Returns the dropped files; with folders, only the images, including those in the folders. */
export async function filesOf({ files, items }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  return entries.some(({ isDirectory }) => isDirectory) ? imagesIn(entries) : [...files];
}

async function imagesIn(entries) {
  const images = [];
  for (const entry of entries) {
    if (entry.isDirectory) {
      const reader = entry.createReader();
      // readEntries returns batches of entries, and an empty batch at the end.
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
