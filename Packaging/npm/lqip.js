#!/usr/bin/env node
// Runs the program of the package for this platform, such as @lqip/linux-x64.
"use strict";
const { spawn } = require("node:child_process");
const os = require("node:os");

const name = `@lqip/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/lqip`);
} catch {
  console.error(`lqip: the package ${name} is not installed, or this platform is not supported`);
  process.exit(127);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends SIGINT to both processes.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`lqip: cannot run ${program}: ${error.message}`);
  process.exit(126);
});
child.on("exit", (status, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : status));
