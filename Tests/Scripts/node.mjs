// Tests the Node.js package in Packaging/npm with the `lqip` on PATH. With TSC, the path of tsc.js, also checks its types.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

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
const kinds = [...types.match(/type Kind = (.*);/)[1].matchAll(/\w+/g)].map(String);

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

test("encode takes paths, URLs and bytes", async () => {
  const [{ path: _, ...expected }] = lines("--kinds", kinds.join(), photo);
  const data = fs.readFileSync(photo);
  const copy = data.buffer.slice(data.byteOffset, data.byteOffset + data.length);
  for (const image of [photo, pathToFileURL(photo), data, copy, new DataView(copy), new Blob([data])]) {
    assert.deepEqual(await encode(image, { kinds }), expected);
  }
  const many = await Promise.all(Array.from({ length: 200 }, () => encode(data, { kinds: "lqip" })));
  assert.ok(many.every((record) => record.lqip === expected.lqip && !("blurhash" in record)));
  await assert.rejects(encode(7), TypeError);
  await assert.rejects(encode("missing.jpg"), { code: "ENOENT" });
  await assert.rejects(encode(Buffer.from("text")), (error) =>
    error instanceof ImageError && error.code === "unsupported_format" && error.message.startsWith("not a "));
  await assert.rejects(encode(data, { kinds: "x" }), { name: "TypeError", message: /thumbhash/ });
  await assert.rejects(encode(data, { size: 3 }), { name: "TypeError", message: /unknown/ });
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
  await assert.rejects(all(encodeMany([3])), TypeError);
  assert.deepEqual(await all(encodeDirectory(images)), lines(images));
  await assert.rejects(all(encodeDirectory("missing")), /No such file/);
});

test("decode renders each kind", async () => {
  const record = await encode(photo, { kinds });
  for (const kind of ["blurhash", "lqip", "thumbhash", "css", "tiny"]) {
    const png = await decode(record[kind], { width: 40, height: 30, kind: kind === "tiny" ? kind : undefined });
    assert.equal(Buffer.from(png.subarray(16, 24)).toString("hex"), "000000280000001e", kind);
  }
  await assert.rejects(decode("#47d3752"), { name: "TypeError", message: /malformed/ });
  for (const wrong of ["", "-", "--help"]) await assert.rejects(decode(wrong), TypeError);
});

test("a program that imports the package ends by itself, and so does the server", async () => {
  const client = path.join(scratch, "client.mjs");
  fs.writeFileSync(client, `import { encode } from "lqip"; console.log((await encode(${JSON.stringify(photo)})).lqip);`);
  const folder = path.join(scratch, "tmp");
  fs.mkdirSync(folder);
  const env = { ...process.env, TMPDIR: folder };
  assert.equal(execFileSync("node", [client], { encoding: "utf8", env }), "#47d37520\n");
  // The server removes its socket when it has ended.
  while (fs.readdirSync(folder).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
});

test("a killed server is replaced, and a missing program reported", () => {
  const client = path.join(scratch, "killed.mjs");
  fs.writeFileSync(client, `import fs from "node:fs";
import { encode } from "lqip";
const child = (id) => fs.readFileSync(\`/proc/\${id}/task/\${id}/children\`, "utf8").split(" ")[0];
await encode(${JSON.stringify(photo)});
const shell = child(process.pid);
process.kill(child(shell), "SIGKILL");
while (fs.existsSync(\`/proc/\${shell}\`)) await new Promise((resolve) => setTimeout(resolve, 10));
console.log((await encode(${JSON.stringify(photo)})).lqip);`);
  assert.equal(execFileSync("node", [client], { encoding: "utf8" }), "#47d37520\n");
  fs.mkdirSync(path.join(scratch, "bin"));
  fs.symlinkSync("/bin/rm", path.join(scratch, "bin/rm"));
  const missing = spawnSync(process.execPath, [path.join(scratch, "client.mjs")],
    { encoding: "utf8", env: { PATH: path.join(scratch, "bin") } });
  assert.match(missing.stderr, /lqip serve did not start/);
});

test("the example in the README works", () => {
  const text = fs.readFileSync(path.join(root, "Packaging/npm/README.md"), "utf8");
  fs.writeFileSync(path.join(scratch, "example.mjs"), text.match(/```js example.mjs\n(.*?)```/s)[1]);
  for (const name of ["photo.jpg", "one.jpg", "two.png"]) fs.copyFileSync(photo, path.join(scratch, name));
  const lines = execFileSync("node", ["example.mjs"], { cwd: scratch, encoding: "utf8" }).split("\n");
  assert.match(lines[0], / 640 480$/);
  assert.match(lines[2], /^two\.png L/);
  assert.ok(fs.existsSync(path.join(scratch, "preview.png")));
});

test("the types accept good calls and reject mistakes", { skip: !process.env.TSC && "TypeScript not found" }, () => {
  const good = `import { encode, encodeMany, decode, ImageError, type Kind } from "lqip";
export async function main(upload: Blob): Promise<number> {
  const kinds: Kind[] = ["lqip", "tiny"];
  const { width, lqip } = await encode(upload, { kinds, previewBytes: 200 });
  for await (const record of encodeMany(["a.jpg"])) {
    if (record.error) console.log(record.error.code); else console.log(record.width);
  }
  const png: Uint8Array = await decode(lqip ?? "", { width: 32 });
  return png.length + width + (new ImageError("corrupt", "damaged").code).length;
}`;
  const bad = ["encode(7)", 'encode("a", { kinds: ["lpiq"] })', 'encode("a", { size: 3 })', 'decode("a", { width: "3" })'];
  const check = (name, text) => {
    fs.writeFileSync(path.join(scratch, name), text);
    const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", "--module", "node16"];
    return spawnSync("node", [process.env.TSC, ...options, name], { cwd: scratch, encoding: "utf8" });
  };
  for (const name of ["good.mts", "good.cts"]) {
    const { status, stdout } = check(name, good);
    assert.equal(status, 0, stdout);
  }
  const { stdout } = check("bad.mts", `import { encode, decode } from "lqip";\n${bad.join(";\n")};\n`);
  assert.equal(stdout.match(/bad\.mts\(\d+,\d+\): error/g)?.length, bad.length, stdout);
});
