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

/** Returns the dropped files; with folders, the images, including those in the folders, and the paths of other files. */
export async function filesOf({ files, items }) {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const others = [];
  return entries.some(({ isDirectory }) => isDirectory)
    ? { files: await imagesIn(entries, others), others } : { files: [...files], others };
}

async function imagesIn(entries, others) {
  const images = [];
  for (const entry of entries) {
    if (entry.isDirectory) {
      const reader = entry.createReader();
      // readEntries returns batches of entries, and an empty batch at the end.
      for (let more; (more = await promised(reader, "readEntries")).length;) {
        images.push(...await imagesIn(more, others));
      }
    } else {
      const file = await promised(entry, "file");
      const path = entry.fullPath.slice(1);
      if (file.type in formats) images.push(Object.assign(file, { path }));
      else others.push(path);
    }
  }
  return images;
}
