"use strict";
// Starts a program of the platform's package and ends as it ends: the same exit
// code, the same signal. Agents take exit code 2 for "blocked" and most others
// for "go on", so whatever keeps the program from running is 2 as well.
const { spawn } = require("node:child_process");
const path = require("node:path");

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

function fail(message) {
  process.stderr.write(`trammel: ${message}\n`);
  process.exit(2);
}

function locate(name) {
  const wanted = `@trammel/${process.platform}-${process.arch}`;
  const { version, optionalDependencies = {} } = require("./package.json");
  if (!(wanted in optionalDependencies)) {
    fail(`there is no package for ${process.platform}-${process.arch}. Other ways to install: https://github.com/trammel-dev/trammel/blob/main/docs/install.md`);
  }
  try {
    const dir = path.dirname(require.resolve(`${wanted}/package.json`));
    return path.join(dir, "bin", process.platform === "win32" ? `${name}.exe` : name);
  } catch {
    return fail(`the package ${wanted} is missing; npm leaves it out with --omit=optional, or when a lock file comes from another platform. ` +
      `Run: npm install --include=optional ${wanted}@${version}`);
  }
}

module.exports = function run(name) {
  const program = locate(name);
  const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
  for (const signal of SIGNALS) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (err) => fail(`cannot start ${program}: ${err.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) {
      process.exit(code);
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(2), 1000); // a signal that Node ignores
  });
};
