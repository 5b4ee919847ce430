// The server makes the placeholders. encrypted.js has the same functions.

/** Sends a body. A refusal rejects with the server's sentence; `isFinal` means that it would be refused again. */
export const put = (method, url, type, body, report = () => {}) => new Promise((resolve, reject) => {
  // Firefox does not read the answer of a server that refuses a body before its end.
  if (body.size > 20 << 20) throw Object.assign(new Error("larger than 20 MiB"), { isFinal: true });
  const request = new XMLHttpRequest();
  request.upload.onprogress = ({ loaded, total }) => report(loaded / total);
  request.onerror = () => reject(new Error("no connection"));
  request.onload = () => request.status == 200 ? resolve() : reject(
    Object.assign(new Error(JSON.parse(request.response).detail), { isFinal: request.status < 500 }));
  request.open(method, url);
  request.setRequestHeader("Content-Type", type);
  request.send(body);
});

/** Uploads the picture, and then the message that shows it. To repeat it is safe: both have the ID of the message. */
export async function send({ upload, ...message }, report) {
  const { client, file } = message;
  if (upload) await put("PUT", `files/${client}?${new URLSearchParams(file)}`, upload.type, upload, report);
  await put("POST", "messages", "application/json", JSON.stringify(message));
}

export const open = (message) => message;

export const load = (image, { client }) => {
  image.loading = "lazy";
  image.src = image.parentElement.href = `files/${client}`;
};
