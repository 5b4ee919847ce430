const calls = new Map();
let count = 0;
let worker;

function settle(id, { record, error }) {
  const { resolve, reject } = calls.get(id);
  calls.delete(id);
  if (!error) return resolve(record);
  const made = error.name == "RangeError" ? new RangeError(error.message) : new Error(error.message);
  reject(Object.assign(made, { name: error.name }));
}

function start() {
  const started = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  started.onmessage = ({ data }) => settle(data.id, data);
  // The worker itself reports the errors of images.
  started.onerror = ({ message }) => {
    worker = undefined;
    const error = { name: "Error", message: `the worker does not run: ${message ?? "not loaded"}` };
    for (const id of [...calls.keys()]) settle(id, { error });
  };
  return started;
}

/** Encodes an image in a worker. */
export function encode(image, options) {
  return new Promise((resolve, reject) => {
    worker ??= start();
    count += 1;
    worker.postMessage({ id: count, image, kinds: options?.kinds ?? ["blurhash"] });
    calls.set(count, { resolve, reject });
  });
}
