// Tests the Node.js package in Packaging/npm with the `lqip` on PATH. With TSC, the path of tsc.js, also checks its types.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
const images = path.join(root, "Tests/Images");
const photo = path.join(images, "size-640x480.png");
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "lqip-test-"));
process.on("exit", () => fs.rmSync(scratch, { recursive: true }));
fs.mkdirSync(path.join(scratch, "node_modules"));
fs.symlinkSync(path.join(root, "Packaging/npm"), path.join(scratch, "node_modules/lqip"));
const lqip = createRequire(path.join(scratch, "client.js"))("lqip");
const { ImageError, decode, encode, encodeDirectory, encodeMany } = lqip;

const types = fs.readFileSync(path.join(root, "Packaging/npm/index.d.ts"), "utf8");
const readMe = fs.readFileSync(path.join(root, "Packaging/npm/README.md"), "utf8");
const document = JSON.parse(fs.readFileSync(path.join(root, "Sources/lqip/Service/Resources/openapi.json")));
const words = (text) => [...text.matchAll(/\w+/g)].map(String);
const kinds = words(types.match(/type Kind = (.*?);/s)[1]);
const members = (name) => [...types.match(new RegExp(`interface ${name}.*?{(.*?)\n}`, "s"))[1].matchAll(/^  (\w+)\?:/gm)]
  .map((match) => match[1]);
const options = members("Options");
const batchOptions = [...options, ...members("BatchOptions")];

function lines(...words) {
  const { stdout } = spawnSync("lqip", ["encode", "--quiet", ...words], { maxBuffer: 1e9, encoding: "utf8" });
  return stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}
const all = async (records) => { const found = []; for await (const each of records) found.push(each); return found; };

test("the kinds are those of the program", () => {
  const help = execFileSync("lqip", ["encode", "--help"], { encoding: "utf8" });
  const listed = help.match(/placeholder kinds: ([a-z,\s]+)\(default/)[1].split(",").map((kind) => kind.trim());
  assert.deepEqual(kinds, listed);
});

test("the options and error codes are those of the server", () => {
  const parameters = document.paths["/v1/encode"].post.parameters.map(({ name }) => name);
  const names = options.map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  assert.deepEqual(names.sort(), parameters.filter((name) => name !== "profile").sort());
  const codes = words(types.match(/type ErrorCode = (.*?);/s)[1]);
  assert.deepEqual(codes, document.components.schemas.FailureCode.enum);
  assert.ok(codes.every((code) => readMe.includes(`\`${code}\``)));
});

test("encode takes paths, URLs and bytes", async () => {
  const [{ path: _, ...expected }] = lines("--kinds", kinds.join(), photo);
  const data = fs.readFileSync(photo);
  const copy = data.buffer.slice(data.byteOffset, data.byteOffset + data.length);
  const foreign = runInNewContext(`new Uint8Array([${[...data]}]).buffer`);
  for (const image of [photo, pathToFileURL(photo), data, copy, new DataView(copy), new Blob([data]), foreign]) {
    assert.deepEqual(await encode(image, { kinds }), expected);
  }
  const many = await Promise.all(Array.from({ length: 200 }, () => encode(data, { kinds: "lqip" })));
  assert.ok(many.every((record) => record.lqip === expected.lqip && !("blurhash" in record)));
  await assert.rejects(encode(fs.createReadStream(photo)), { name: "TypeError", message: /Blob, not ReadStream$/ });
  for (const wrong of ["https://example.org/a.jpg", new URL("https://example.org/"), `data:image/png,${"A".repeat(9000)}`]) {
    await assert.rejects(encode(wrong), ({ name, message }) =>
      name === "TypeError" && message.includes("lqip fetches no URLs") && message.length < 200);
  }
  await assert.rejects(encode("missing.jpg"), { code: "ENOENT" });
  await assert.rejects(encode(Buffer.from("text")), (error) =>
    error instanceof ImageError && error.code === "unsupported_format" && error.message.startsWith("not a "));
  await assert.rejects(encode(Buffer.alloc(256 << 20)), { code: "too_large" });
  const large = path.join(scratch, "large");
  fs.writeFileSync(large, "");
  fs.truncateSync(large, 2 ** 32);
  await assert.rejects(encode(large), { code: "too_large" });
});

test("wrong kinds and options are rejected, with the names that exist", async () => {
  const calls = [
    [(options) => encode(photo, options), options],
    [async (options) => all(encodeMany([photo], options)), batchOptions],
    [async (options) => all(encodeDirectory(images, options)), batchOptions],
    [(options) => decode("#47d37520", options), members("DecodeOptions")],
  ];
  for (const [call, names] of calls) {
    const unknown = `unknown option 'output'; supported: ${names.join(", ")}`;
    await assert.rejects(call({ output: "x" }), { name: "TypeError", message: unknown });
    if (names.includes("width")) continue;
    for (const wrong of ["x", [], "lqip,css"]) {
      await assert.rejects(call({ kinds: wrong }), ({ message }) => message.endsWith(`supported: ${kinds.join(", ")}`));
    }
    const message = "invalid value '1' for 'previewBytes': expected a whole number from 128 to 8192";
    await assert.rejects(call({ previewBytes: 1 }), { name: "TypeError", message });
    for (const [name, value, type, found] of [["exact", 1, "boolean", "Number"], ["exact", "false", "boolean", "String"],
      ["tinyBytes", false, "number", "Boolean"], ["tinyBytes", "24", "number", "String"], ["lqip", 6, "string", "Number"]]) {
      const expected = `expected a ${type} for '${name}', not ${found}`;
      await assert.rejects(call({ [name]: value }), { name: "TypeError", message: expected });
    }
    for (const background of ["a\0b", "x".repeat(100_000)]) {
      await assert.rejects(call({ background }), ({ name, message }) =>
        name === "TypeError" && message.startsWith("invalid value") && message.length < 200);
    }
  }
  const limits = { jobs: 1, maxBytes: 1 << 20, maxPixels: 10, timeout: 2.5 };
  assert.equal((await all(encodeMany([photo], limits)))[0].error.code, "too_large");
  const kept = await encode(photo, { kinds: new Set(["css", "lqip"]) });
  assert.deepEqual(kinds.filter((kind) => kind in kept), ["lqip", "css"]);
});

test("options are those of the program", async () => {
  const options = { kinds: ["blurhash", "preview"], components: "2x2", previewBytes: 200, exact: true, verify: false };
  const expected = lines("--kinds=blurhash,preview", "--components=2x2", "--preview-bytes=200", "--exact", photo);
  assert.deepEqual({ path: photo, ...(await encode(photo, options)) }, expected[0]);
  assert.deepEqual(await all(encodeMany([photo], options)), expected);
});

test("records of many files keep their order", async () => {
  const paths = [photo, path.join(images, "size-31x57.png"), "missing.jpg", photo];
  const records = await all(encodeMany(new Set([...paths, pathToFileURL(photo)])));
  assert.deepEqual(records.map((record) => record.path), [...paths.slice(0, 3), photo]);
  assert.deepEqual(records.map((record) => record.error !== undefined), [false, false, true, false]);
  assert.deepEqual(await all(encodeMany([])), []);
  const missing = await all(encodeMany(["missing", "missing"]));
  assert.deepEqual(missing.map((record) => record.error.code), ["unreadable", "unreadable"]);
  assert.throws(() => encodeMany([photo, images]), { name: "TypeError", message: /is a directory; use encodeDirectory$/ });
  for (const [wrong, name] of [[photo, "String"], [fs.readFileSync(photo), "Buffer"], [pathToFileURL(photo), "URL"]]) {
    assert.throws(() => encodeMany(wrong), { name: "TypeError", message: `expected a list of paths, not ${name}` });
  }
  const message = "expected a path, not Buffer; use encode for bytes";
  assert.throws(() => encodeMany([Buffer.from("text")]), { name: "TypeError", message });
  assert.throws(() => encodeMany([""]), TypeError);
  assert.deepEqual(await all(encodeDirectory(images)), lines(images));
  assert.throws(() => encodeDirectory("missing"), { code: "ENOENT" });
  assert.throws(() => encodeDirectory(photo), { code: "ENOTDIR" });
  assert.deepEqual(await all(encodeDirectory(fs.mkdtempSync(path.join(scratch, "empty")))), []);
});

test("decode renders each kind", async () => {
  const record = await encode(photo, { kinds });
  for (const kind of ["blurhash", "lqip", "thumbhash", "css", "tiny"]) {
    const png = await decode(record[kind], { width: 40, height: 30, kind: kind === "tiny" ? kind : undefined });
    assert.equal(Buffer.from(png.subarray(16, 24)).toString("hex"), "000000280000001e", kind);
  }
  await assert.rejects(decode("#47d3752"), { name: "TypeError", message: /malformed/ });
  await assert.rejects(decode("#47d37520", { width: 0 }),
    { message: "invalid value '0' for 'width': expected a whole number from 1 to 4096" });
  await assert.rejects(decode("A".repeat(300_000)),
    { name: "TypeError", message: "not a placeholder: a string of 300000 characters" });
  await assert.rejects(decode(undefined), { name: "TypeError", message: "expected a string or a number, not undefined" });
  for (const wrong of ["", "-", "--help"]) await assert.rejects(decode(wrong), TypeError);
});

const prelude = `import fs from "node:fs";
import path from "node:path";
import lqip from "lqip";
const image = ${JSON.stringify(photo)};
const encode = async () => console.log((await lqip.encode(image)).lqip);
const children = (id) => fs.readFileSync(\`/proc/\${id}/task/\${id}/children\`, "utf8").trim().split(" ").map(Number);
const folder = process.env.TMPDIR;
const server = () => {
  const [shell] = children(process.pid);
  return [shell, children(shell).find((id) => fs.readFileSync(\`/proc/\${id}/comm\`, "utf8") === "lqip\\n")];
};
`;

/** Runs a program that imports the package, waits until its server has ended, and returns its output and errors. */
async function client(text, variables = {}, name = "") {
  const folder = fs.mkdtempSync(path.join(scratch, "tmp-"));
  fs.mkdirSync(path.join(folder, name), { recursive: true });
  fs.writeFileSync(path.join(scratch, "client.mjs"), prelude + text);
  const env = { ...process.env, TMPDIR: path.join(folder, name), ...variables };
  const limited = ["-c", 'ulimit -n 200; exec "$@"', "sh", process.execPath, path.join(scratch, "client.mjs")];
  const { stdout, stderr } = spawnSync("/bin/sh", limited, { encoding: "utf8", env, timeout: 60_000 });
  const folders = [folder, ...[name, "later"].map((each) => path.join(folder, each)).filter(fs.existsSync)];
  while (folders.some((each) => fs.readdirSync(each).some((found) => found.startsWith("lqip-")))) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return stdout + stderr;
}

test("a program that imports the package ends by itself, and so does the server", async () => {
  assert.equal(await client("await encode();"), "#47d37520\n");
  assert.equal(await client("await encode();", {}, "x".repeat(100)), "#47d37520\n");
  assert.equal(await client('await encode(); process.kill(server()[1], "SIGSTOP");'), "#47d37520\n");
  const abandoned = "console.log((await lqip.encodeMany(Array(2000).fill(image)).next()).value.lqip);";
  assert.equal(await client(abandoned), "#47d37520\n");
});

test("a killed server is replaced", async () => {
  for (const also of ["", "fs.rmSync(path.join(folder, fs.readdirSync(folder)[0]), { recursive: true });"]) {
    // The stopped shell does not notice the end of the server.
    assert.equal(await client(`await encode();
const [shell, program] = server();
process.kill(shell, "SIGSTOP");
process.kill(program, "SIGKILL");
${also}
await encode();`), "#47d37520\n#47d37520\n");
  }
});

test("a server that does not start is reported, and started later", async () => {
  assert.match(await client("await encode();", { PATH: "" }), /lqip serve, did not start: .*lqip: not found/);
  // As in a container without a shell.
  fs.writeFileSync(path.join(scratch, "shell.cjs"), `const processes = require("node:child_process");
const { spawn } = processes;
processes.spawn = (file, ...others) => spawn(\`/missing\${file}\`, ...others);`);
  const text = await client("await encode();", { NODE_OPTIONS: `--require ${path.join(scratch, "shell.cjs")}` });
  assert.match(text, /Error: the server of this package, lqip serve, did not start: spawn .*ENOENT/);
  assert.equal(await client(`process.env.TMPDIR = path.join(folder, "later");
await lqip.encode(image).catch(({ code, message }) => console.log(code, message.split(":")[0]));
fs.mkdirSync(process.env.TMPDIR);
await encode();`),
    "undefined the server of this package, lqip serve, did not start\n#47d37520\n");
  assert.equal(await client(`const data = fs.readFileSync(image);
const descriptors = [];
try { for (;;) descriptors.push(fs.openSync("/dev/null")); } catch {}
for (const call of [() => lqip.encode(data), () => lqip.decode("#47d37520"), () => lqip.encodeMany([image]).next()]) {
  await call().catch(({ message }) => console.log(message.includes("EMFILE")));
}
descriptors.forEach((each) => fs.closeSync(each));
await encode();`), "true\ntrue\ntrue\n#47d37520\n");
});

test("a program that fails or is killed is reported", async () => {
  const folder = fs.mkdtempSync(path.join(scratch, "program-"));
  for (const [end, expected] of [["echo lqip: a: no >&2; exit 4", "a: no"], ["kill -9 $$", "lqip ended with SIGKILL"]]) {
    fs.writeFileSync(path.join(folder, "lqip"), `#!/bin/sh\necho '{}'; ${end}\n`, { mode: 0o755 });
    const output = await client(`for (const records of [lqip.encodeMany(["a", "b"]), lqip.encodeDirectory("/")]) {
  try { for await (const each of records); } catch ({ name, message }) { console.log(name, message); }
}`, { PATH: `${folder}:${process.env.PATH}` });
    assert.equal(output, `Error ${expected}\n`.repeat(2));
  }
});

const examples = new Map([...readMe.matchAll(/```js (\S+)\n(.*?)```/gs)].map(([, name, text]) => [name, text]));

test("the first example in the README works", () => {
  fs.writeFileSync(path.join(scratch, "example.mjs"), examples.get("example.mjs"));
  for (const name of ["photo.jpg", "one.jpg", "two.png"]) fs.copyFileSync(photo, path.join(scratch, name));
  const lines = execFileSync("node", ["example.mjs"], { cwd: scratch, encoding: "utf8" }).split("\n");
  assert.match(lines[0], / 640 480$/);
  assert.match(lines[2], /^two\.png L/);
  assert.ok(fs.existsSync(path.join(scratch, "preview.png")));
});

test("the upload example in the README rejects a file that is cut off", async () => {
  const listening = ".listen(0, function () { console.log(this.address().port); })";
  fs.writeFileSync(path.join(scratch, "upload.mjs"), examples.get("upload.mjs").replace(".listen(8080)", listening));
  const child = spawn("node", ["upload.mjs"], { cwd: scratch, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [port] = await once(child.stdout, "data");
    const image = fs.readFileSync(path.join(images, "jpeg-bricks-progressive-272x264.jpg"));
    const upload = async (body) => {
      const response = await fetch(`http://127.0.0.1:${Number(port)}`, { method: "POST", body });
      return [response.status, await response.json()];
    };
    const [status, record] = await upload(image);
    assert.deepEqual([status, record.width], [200, 272]);
    const cut = image.subarray(0, image.length / 2);
    const [error, { code }] = await upload(cut);
    assert.deepEqual([error, code], [422, "truncated"]);
    assert.ok(!("complete" in (await encode(cut))));
  } finally {
    child.kill();
  }
});

test("the types accept good calls and reject mistakes", { skip: !process.env.TSC && "TypeScript not found" }, () => {
  const good = `import { encode, encodeMany, encodeDirectory, decode, ImageError, type ErrorCode, type Kind } from "lqip";
export async function main(upload: Blob): Promise<number> {
  const kinds: Kind[] = ["lqip", "tiny"];
  const { width, lqip } = await encode(upload, { kinds, previewBytes: 200 });
  for await (const record of encodeMany(["a.jpg"])) {
    if (record.error) { const code: ErrorCode = record.error.code; console.log(code); } else console.log(record.width);
  }
  encodeDirectory("photos", { kinds: ["lqip", "thumbhash"], jobs: 1, maxBytes: 1, maxPixels: 1, timeout: 0.5 });
  const png: Uint8Array = await decode(lqip ?? "", { width: 32 });
  return png.length + width + (new ImageError("corrupt", "damaged").code).length;
}`;
  const bad = ["encode(7)", 'encode("a", { jobs: 3 })', 'encode("a", { kinds: ["lpiq"] })', 'encode("a", { size: 3 })', 'decode("a", { width: "3" })'];
  const check = (name, text) => {
    fs.writeFileSync(path.join(scratch, name), text);
    // The examples are JavaScript, without types of parameters.
    const options = ["--noEmit", "--strict", "--noImplicitAny", examples.has(name.replace("mts", "mjs")) ? "false" : "true",
      "--target", "es2022", "--lib", "es2022,dom", "--module", "node16"];
    return spawnSync("node", [process.env.TSC, ...options, name, "node.d.ts"], { cwd: scratch, encoding: "utf8" });
  };
  // The types of Node.js are no part of TypeScript.
  fs.writeFileSync(path.join(scratch, "node.d.ts"),
    'declare module "node:fs/promises"; declare module "node:http"; declare const Buffer: any;');
  const clients = [["good.mts", good], ["good.cts", good], ...examples];
  for (const [name, text] of clients) {
    const { status, stdout } = check(name.replace("mjs", "mts"), text);
    assert.equal(status, 0, stdout);
  }
  const { stdout } = check("bad.mts", `import { encode, decode } from "lqip";\n${bad.join(";\n")};\n`);
  assert.equal(stdout.match(/bad\.mts\(\d+,\d+\): error/g)?.length, bad.length, stdout);
});
