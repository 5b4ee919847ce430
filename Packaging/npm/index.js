"use strict";
// The records are those of `lqip encode`. The first call of `encode` starts one server process, which later calls share.
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const net = require("node:net");
const { tmpdir } = require("node:os");
const path = require("node:path");
const { createInterface } = require("node:readline");
const { setTimeout: sleep } = require("node:timers/promises");
const { fileURLToPath } = require("node:url");

const installed = path.join(__dirname, "lqip");
const program = fs.existsSync(installed) ? installed : "lqip";

const kinds = ["blurhash", "lqip", "thumbhash", "tiny", "preview", "svg", "css", "palette"];
const encodeOptions = ["kinds", "components", "blurhash", "lqip", "tinyBytes", "previewFormat", "previewBytes",
  "background", "exact", "lenient", "verify"];
const batchOptions = [...encodeOptions, "jobs", "maxBytes", "maxPixels", "timeout"];
const maxBytes = 64 << 20;
const decodeOptions = ["width", "height", "kind", "punch", "lqip2"];

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
    const { status, answer } = await post(await server(), `/v1/encode?${query}`, body);
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
  return records("-", flags(options, batchOptions), Array.from(paths, (each) => `${pathOf(each)}\0`).join(""));
}

function encodeDirectory(directory, options = {}) {
  const name = `${pathOf(directory)}/`;
  fs.accessSync(name, fs.constants.R_OK);
  return records(name, flags(options, batchOptions), "");
}

async function decode(placeholder, options = {}) {
  if (typeof placeholder !== "string" && typeof placeholder !== "number") {
    throw new TypeError(`expected a string or a number, not ${typeName(placeholder)}`);
  }
  const text = String(placeholder);
  if (text.length > 10_000) throw new TypeError(`not a placeholder: a string of ${text.length} characters`);
  const child = run(["decode", ...flags(options, decodeOptions), "--", text]);
  child.stdin.end();
  const png = await contents(child.stdout);
  const { status, message } = await child.ended;
  if (status !== 0 || png.length === 0) throw new TypeError(message || `not a placeholder: '${text}'`);
  return png;
}

/** Returns the bytes of a path, a file URL, a typed array, an ArrayBuffer or a Blob. */
async function bytes(image) {
  if (typeof image === "string" || image instanceof URL) {
    // The server rejects a file above the limit.
    return contents(fs.createReadStream(pathOf(image), { end: maxBytes, highWaterMark: 1 << 20 }));
  }
  if (ArrayBuffer.isView(image)) return Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  if (image instanceof ArrayBuffer) return Buffer.from(image);
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

/** Returns options by the names that the program gives them, without those that are off: `previewBytes`, `preview-bytes`. */
function settings(options, supported) {
  check("option", Object.keys(options), supported);
  return Object.entries(options).filter(([, value]) => value != null && value !== false).map(([name, value]) => {
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

/** Starts the program; `ended` is its exit status and its messages. */
function run(words) {
  const child = spawn(program, words);
  let message = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (message += text));
  child.stdin.on("error", () => {});
  child.ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      message = message.split("\nTry 'lqip ")[0].trim().replace(/^lqip: /gm, "");
      resolve({ status, message: renamed(message) });
    });
  });
  // The error is thrown where `ended` is awaited.
  child.ended.catch(() => {});
  return child;
}

async function* records(operand, words, names) {
  const child = run(["encode", "--quiet", ...words, "--", operand]);
  child.stdin.end(names);
  try {
    for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
    const { status, message } = await child.ended;
    // Status 1 means that some files have error records.
    if (status === 2) throw new TypeError(message);
    if (status !== 0 && status !== 1 && message !== "no images found") throw new Error(message);
  } finally {
    child.kill();
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

/** Returns the server of this process, and starts another if it has exited. */
function server() {
  running ??= start();
  return running;
}

/** Starts `lqip serve` on a Unix socket that only this user can open. */
async function start() {
  const directory = fs.mkdtempSync(path.join(tmpdir(), "lqip-"));
  const socketPath = path.join(directory, "socket");
  const serve = [program, "serve", "--listen", `unix:${socketPath}`, "--log", "none", "--max-bytes", `${maxBytes}`,
    "--timeout", "10", "--queue", "1000"];
  // The shell stops the server when standard input closes, when Node.js exits or is killed, and ends with the server.
  const watch = "{ read _ <&3; kill $server; } 2>&-";
  const script = `exec 3<&0; "$@" & server=$!; ${watch} & wait $server; kill $! 2>&-; rm -rf "$0"`;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("LQIP_")));
  const errors = fs.openSync(path.join(directory, "errors"), "w+");
  const child = spawn("/bin/sh", ["-c", script, directory, ...serve],
    { stdio: ["pipe", "ignore", errors], env, detached: true });
  child.unref();
  child.stdin.unref();
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    running = undefined;
  };
  child.once("exit", end).once("error", (error) => {
    fs.writeSync(errors, error.message);
    end();
  });
  const agent = new http.Agent({ keepAlive: true });
  try {
    for (let attempt = 0; attempt < 3000 && !hasEnded; attempt += 1) {
      if (await isListening(socketPath)) return { socketPath, agent };
      await sleep(10);
    }
    child.stdin.destroy();
    const buffer = Buffer.alloc(10_000);
    const text = buffer.toString("utf8", 0, fs.readSync(errors, buffer, 0, buffer.length, 0));
    throw new Error(`${program} serve did not start: ${text.trim().split("\n").pop().replace(/^lqip: /, "")}`);
  } finally {
    fs.closeSync(errors);
  }
}

function isListening(socketPath) {
  return new Promise((resolve) => {
    const probe = net.connect(socketPath, () => resolve(true)).on("error", () => resolve(false));
    probe.on("connect", () => probe.destroy());
  });
}

/** Sends a request, again if the server has closed the connection or is busy. */
async function post({ socketPath, agent }, target, body) {
  for (;;) {
    const { status, text, stale } = await new Promise((resolve, reject) => {
      const request = http.request({ socketPath, agent, path: target, method: "POST" }, (response) => {
        const chunks = [];
        response.on("error", reject).on("data", (chunk) => chunks.push(chunk))
          .on("end", () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
      });
      request.on("error", (error) => (request.reusedSocket ? resolve({ stale: true }) : reject(error)));
      request.end(body);
    });
    if (stale) continue;
    const answer = JSON.parse(text);
    // With `internal`, the image has failed.
    if (status !== 503 || answer.code === "internal") return { status, answer };
    await sleep(50);
  }
}

module.exports = { ImageError, decode, encode, encodeDirectory, encodeMany, program };
