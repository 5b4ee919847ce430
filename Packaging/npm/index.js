"use strict";
// The records are those of `lqip encode`. The first call of `encode` starts one server process, which later calls share.
const { spawn } = require("node:child_process");
const { existsSync, mkdtempSync } = require("node:fs");
const { readFile } = require("node:fs/promises");
const http = require("node:http");
const net = require("node:net");
const { tmpdir } = require("node:os");
const path = require("node:path");
const { createInterface } = require("node:readline");
const { setTimeout: sleep } = require("node:timers/promises");
const { fileURLToPath } = require("node:url");

const installed = path.join(__dirname, "lqip");
const program = existsSync(installed) ? installed : "lqip";

class ImageError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "ImageError";
    this.code = code;
  }
}

async function encode(image, options = {}) {
  return withPermit(async () => {
    const body = await bytes(image);
    const query = new URLSearchParams(settings(options));
    const { status, answer } = await post(await server(), `/v1/encode?${query}`, body);
    if (status === 200) return answer;
    if (answer.code === "bad_parameter") throw new TypeError(answer.detail);
    throw new ImageError(answer.code, answer.detail);
  });
}

async function* encodeMany(paths, options = {}) {
  const names = Array.from(paths, (each) => (each instanceof URL ? fileURLToPath(each) : each));
  const wrong = names.find((name) => typeof name !== "string" || name === "" || name.includes("\0"));
  if (wrong !== undefined) throw new TypeError(`not a path: ${JSON.stringify(wrong)}`);
  if (names.length > 0) yield* records("-", options, names);
}

async function* encodeDirectory(directory, options = {}) {
  yield* records(directory instanceof URL ? fileURLToPath(directory) : String(directory), options, []);
}

async function decode(placeholder, options = {}) {
  const child = run(["decode", ...flags(options), "--", String(placeholder)]);
  child.stdin.end();
  const chunks = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  const { status, message } = await child.ended;
  const png = Buffer.concat(chunks);
  if (status !== 0 || png.length === 0) throw new TypeError(message || `not a placeholder: '${placeholder}'`);
  return png;
}

/** Returns the bytes of a path, a file URL, a typed array, an ArrayBuffer or a Blob. */
async function bytes(image) {
  if (typeof image === "string" || image instanceof URL) return readFile(image);
  if (ArrayBuffer.isView(image)) return Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  if (image instanceof ArrayBuffer) return Buffer.from(image);
  if (image instanceof Blob) return Buffer.from(await image.arrayBuffer());
  throw new TypeError("expected a path, a file URL, a typed array, an ArrayBuffer or a Blob");
}

/** Returns options by the names that the program gives them, without those that are off: `previewBytes`, `preview-bytes`. */
function settings({ kinds, ...options }) {
  const named = Object.entries(options).filter(([, value]) => value != null && value !== false)
    .map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), String(value)]);
  return kinds === undefined ? named : [["kinds", [].concat(kinds).join(",")], ...named];
}

function flags(options) {
  return settings(options).map(([name, value]) => (value === "true" ? `--${name}` : `--${name}=${value}`));
}

/** Starts the program; `ended` is its exit status and its messages. */
function run(words) {
  const child = spawn(program, words);
  let message = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (message += text));
  child.stdin.on("error", () => {});
  child.ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, message: message.trim().replace(/^lqip: /, "") }));
  });
  // The error is thrown where `ended` is awaited.
  child.ended.catch(() => {});
  return child;
}

async function* records(operand, options, names) {
  const child = run(["encode", "--quiet", ...flags(options), "--", operand]);
  child.stdin.end(names.map((name) => `${name}\0`).join(""));
  try {
    for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
    const { status, message } = await child.ended;
    // Status 1 means that some files have error records.
    if (status === 2) throw new TypeError(message);
    if (status !== 0 && status !== 1) throw new Error(message);
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
  const directory = mkdtempSync(path.join(tmpdir(), "lqip-"));
  const socketPath = path.join(directory, "socket");
  const serve = [program, "serve", "--listen", `unix:${socketPath}`, "--log", "none", "--max-bytes", "64M",
    "--timeout", "10", "--queue", "1000"];
  // The shell stops the server when standard input closes, when Node.js exits or is killed, and ends with the server.
  const script = 'exec 3<&0; "$@" & server=$!; { read _ <&3; kill $server; } & wait $server; kill $!; rm -rf "$0"';
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("LQIP_")));
  const child = spawn("/bin/sh", ["-c", script, directory, ...serve],
    { stdio: ["pipe", "ignore", "ignore"], env, detached: true });
  child.unref();
  child.stdin.unref();
  let hasEnded = false;
  child.once("exit", () => {
    hasEnded = true;
    running = undefined;
  });
  const agent = new http.Agent({ keepAlive: true });
  for (let attempt = 0; attempt < 3000 && !hasEnded; attempt += 1) {
    if (await isListening(socketPath)) return { socketPath, agent };
    await sleep(10);
  }
  child.stdin.destroy();
  throw new Error(`${program} serve did not start`);
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
    if (status !== 503) return { status, answer: JSON.parse(text) };
    await sleep(50);
  }
}

module.exports = { ImageError, decode, encode, encodeDirectory, encodeMany, program };
