"use strict";
// The records are those of `lqip encode`. The first call of `encode` starts one server process, which later calls share.
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const fs = require("node:fs");
const http = require("node:http");
const net = require("node:net");
const { tmpdir } = require("node:os");
const path = require("node:path");
const { createInterface } = require("node:readline");
const { setTimeout: sleep } = require("node:timers/promises");
const { fileURLToPath } = require("node:url");
const { isAnyArrayBuffer } = require("node:util/types");

const installed = path.join(__dirname, "lqip");
const program = fs.existsSync(installed) ? installed : "lqip";

const kinds = ["blurhash", "lqip", "thumbhash", "tiny", "preview", "svg", "css", "palette"];
// The type of each option.
const encodeOptions = { kinds: "object", components: "string", blurhash: "string", lqip: "string", tinyBytes: "number",
  previewFormat: "string", previewBytes: "number", background: "string", exact: "boolean", lenient: "boolean",
  verify: "boolean" };
const batchOptions = { ...encodeOptions, jobs: "number", maxBytes: "number", maxPixels: "number", timeout: "number" };
const decodeOptions = { width: "number", height: "number", kind: "string", punch: "number", lqip2: "string" };
const maxBytes = 64 << 20;

class ImageError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "ImageError";
    this.code = code;
  }
}

async function encode(image, options = {}) {
  const query = new URLSearchParams(settings(options, encodeOptions));
  return withPermit(async () => {
    const body = await bytes(image);
    const { status, answer } = await post(`/v1/encode?${query}`, body);
    if (status === 200) return answer;
    if (answer.code === "bad_parameter") throw new TypeError(renamed(answer.detail));
    throw new ImageError(answer.code, answer.detail);
  });
}

// Wrong arguments throw at the call, not at the first iteration.
function encodeMany(paths, options = {}) {
  if (typeof paths === "string" || ArrayBuffer.isView(paths) || !paths?.[Symbol.iterator]) {
    throw new TypeError(`expected a list of paths, not ${typeName(paths)}`);
  }
  const names = Array.from(paths, pathOf);
  const directory = names.find(isDirectory);
  if (directory) throw new TypeError(`expected a file: '${directory}' is a directory; use encodeDirectory`);
  return records("-", flags(options, batchOptions), names);
}

function encodeDirectory(directory, options = {}) {
  const name = `${pathOf(directory)}/`;
  fs.accessSync(name, fs.constants.R_OK);
  return records(name, flags(options, batchOptions), []);
}

async function decode(placeholder, options = {}) {
  if (typeof placeholder !== "string" && typeof placeholder !== "number") {
    throw new TypeError(`expected a string or a number, not ${typeName(placeholder)}`);
  }
  const text = String(placeholder);
  if (text.length > 10_000) throw new TypeError(`not a placeholder: a string of ${text.length} characters`);
  const child = await run(program, ["decode", ...flags(options, decodeOptions), "--", text]);
  child.stdin.end();
  const png = await contents(child.stdout);
  const { status, message } = await child.ended;
  if (status !== 0 || png.length === 0) throw failure(status, message || `not a placeholder: '${text}'`);
  return png;
}

/** Returns the bytes of a path, a file URL, a typed array, an ArrayBuffer or a Blob. */
async function bytes(image) {
  if (typeof image === "string" || image instanceof URL) {
    // The server rejects a file above the limit.
    return contents(fs.createReadStream(pathOf(image), { end: maxBytes, highWaterMark: 1 << 20 }));
  }
  if (ArrayBuffer.isView(image)) return Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  if (isAnyArrayBuffer(image)) return Buffer.from(image);
  if (image instanceof Blob) return Buffer.from(await image.arrayBuffer());
  throw new TypeError(`expected a path, a file URL, a typed array, an ArrayBuffer or a Blob, not ${typeName(image)}`);
}

async function contents(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function typeName(value) {
  return value?.constructor?.name || String(value);
}

function pathOf(value) {
  const name = value instanceof URL ? (value.protocol === "file:" ? fileURLToPath(value) : value.href) : value;
  if (typeof name !== "string") throw new TypeError(`expected a path, not ${typeName(value)}; use encode for bytes`);
  if (/^(\w+:\/\/|data:)/.test(name)) {
    throw new TypeError(`not a path: '${name.slice(0, 100)}': lqip fetches no URLs; pass the bytes to encode`);
  }
  if (name === "" || name.includes("\0")) throw new TypeError(`not a path: ${JSON.stringify(name)}`);
  return name;
}

function isDirectory(name) {
  try {
    return fs.statSync(name).isDirectory();
  } catch {
    return false;
  }
}

/** Returns options by the names that the program gives them, without those that are off: `previewBytes`, `preview-bytes`. */
function settings(options, supported) {
  check("option", Object.keys(options), Object.keys(supported));
  const given = Object.entries(options).filter(([, value]) => value != null);
  for (const [name, value] of given.filter(([name]) => name !== "kinds")) {
    const type = supported[name];
    if (typeof value !== type) throw new TypeError(`expected a ${type} for '${name}', not ${typeName(value)}`);
    if (`${value}`.includes("\0") || `${value}`.length > 1000) {
      throw new TypeError(`invalid value ${JSON.stringify(value.slice(0, 100))} for '${name}'`);
    }
  }
  return given.filter(([, value]) => value !== false).map(([name, value]) => {
    if (name !== "kinds") return [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), String(value)];
    const listed = typeof value === "string" ? [value] : [...value];
    check("kind", listed.length > 0 ? listed : [""], kinds);
    return [name, listed.join(",")];
  });
}

function check(subject, names, supported) {
  const unknown = names.find((name) => !supported.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`unknown ${subject} '${unknown}'; supported: ${supported.join(", ")}`);
  }
}

function flags(options, supported) {
  return settings(options, supported).map(([name, value]) => (value === "true" ? `--${name}` : `--${name}=${value}`));
}

/** Returns a message of the program with the names that its options have in JavaScript. */
function renamed(message) {
  return message.replace(/((?<= )--|(?<= for ')-*)([a-z][a-z0-9-]*)/g, (_, __, name) =>
    name.replace(/-(.)/g, (_, letter) => letter.toUpperCase()));
}

/** Starts a program; `ended` is its exit status and the end of its messages. Rejects if it does not start. */
async function run(file, words, options) {
  const child = spawn(file, words, options);
  await once(child, "spawn");
  let message = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (message = (message + text).slice(-10_000)));
  child.stdin.on("error", () => {});
  child.ended = once(child, "close").then(([status, signal]) => {
    message = message.split("\nTry 'lqip ")[0].trim().replace(/^lqip: /gm, "");
    const end = status === 0 ? "" : `lqip ended with ${signal ?? `status ${status}`}`;
    return { status, message: renamed(message) || end };
  });
  // The error is thrown where `ended` is awaited.
  child.ended.catch(() => {});
  return child;
}

function failure(status, message) {
  return new ([0, 1, 2].includes(status) ? TypeError : Error)(message);
}

async function* records(operand, words, names) {
  const child = await run(program, ["encode", "--quiet", ...words, "--", operand]);
  for (const each of [child, child.stdin, child.stdout, child.stderr]) each.unref();
  child.stdin.end(names.map((name) => `${name}\0`).join(""));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let count = 0;
  try {
    for (let line; !(line = await keepingAlive(lines.next())).done; count += 1) yield JSON.parse(line.value);
    const { status, message } = await keepingAlive(child.ended);
    // Status 1 means that some files have error records, and 4 also that a path without an extension is missing.
    const isComplete = operand === "-" ? count === names.length : message === "no images found";
    if (status !== 0 && status !== 1 && !(status === 4 && isComplete)) throw failure(status, message);
  } finally {
    child.stdout.destroy();
    child.kill("SIGKILL");
  }
}

/** Waits for a child process, which keeps Node.js running only meanwhile, and not if its records are abandoned. */
async function keepingAlive(promise) {
  const timer = setInterval(() => {}, 1 << 30);
  try {
    return await promise;
  } finally {
    clearInterval(timer);
  }
}

// Each call holds an image in memory.
let permits = 32;
const waiting = [];

async function withPermit(work) {
  if (permits > 0) permits -= 1;
  else await new Promise((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    if (waiting.length > 0) waiting.shift()();
    else permits += 1;
  }
}

let running;

/** Returns the server of this process, and starts another if it has ended. */
function server() {
  if (running) return running;
  const forget = () => {
    if (running === started) running = undefined;
  };
  const started = (running = start(forget).catch((error) => {
    forget();
    throw new Error(`the server of this package, ${program} serve, did not start: ${error.message}`);
  }));
  return started;
}

/** Starts `lqip serve` on a Unix socket that only this user can open. */
async function start(forget) {
  // The path of a socket has at most 107 bytes.
  const directory = fs.mkdtempSync(path.join(Buffer.byteLength(tmpdir()) > 80 ? "/tmp" : tmpdir(), "lqip-"));
  const socketPath = path.join(directory, "socket");
  const serve = [program, "serve", "--listen", `unix:${socketPath}`, "--log", "none", "--max-bytes", `${maxBytes}`,
    "--timeout", "10", "--queue", "1000"];
  // The shell kills the server when standard input closes, as when Node.js ends, and ends with the server. SIGKILL
  // cannot be blocked or ignored, and ends a stopped process.
  const end = 'end() { PATH=/bin:/usr/bin:$PATH rm -rf "$0"; kill -9 -$$; }';
  const script = `${end}; exec 3<&0; { read _ <&3; end; } 2>&- & "$@" </dev/null; end`;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("LQIP_")));
  const child = await run("/bin/sh", ["-c", script, directory, ...serve], { env, detached: true }).catch((error) => {
    fs.rmdirSync(directory);
    throw error;
  });
  for (const each of [child, child.stdin, child.stdout, child.stderr]) each.unref();
  const stop = () => {
    forget();
    child.stdin.destroy();
  };
  child.ended.then(forget, forget);
  for (let attempt = 0; attempt < 3000 && child.exitCode === null && child.signalCode === null; attempt += 1) {
    if (await isListening(socketPath)) return { socketPath, agent: new http.Agent({ keepAlive: true }), stop };
    await sleep(10);
  }
  stop();
  const { message } = await keepingAlive(child.ended);
  throw new Error(message.split("\n").pop());
}

function isListening(socketPath) {
  return new Promise((resolve) => {
    const probe = net.connect(socketPath, () => resolve(true)).on("error", () => resolve(false));
    probe.on("connect", () => probe.destroy());
  });
}

/** Sends a request, again if the server is busy, has closed an idle connection, or was replaced. */
async function post(target, body) {
  for (let failures = 0; ;) {
    const { socketPath, agent, stop } = await server();
    const request = http.request({ socketPath, agent, path: target, method: "POST" }).on("error", () => {});
    try {
      const [response] = await once(request.end(body), "response");
      const answer = JSON.parse(await contents(response));
      // With `internal`, the image has failed.
      if (response.statusCode !== 503 || answer.code === "internal") return { status: response.statusCode, answer };
      await sleep(50);
    } catch (error) {
      if (request.reusedSocket) continue;
      failures += 1;
      // A server that is killed can cut off a request, and then refuse a connection.
      if (failures === 3) throw new Error(`the server of this package failed: ${error.message}`);
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") stop();
    }
  }
}

module.exports = { ImageError, decode, encode, encodeDirectory, encodeMany, program };
