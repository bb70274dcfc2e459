/**
 * Tests that a machine leaves out, because it lacks a program or a right. `.ci/packages` names the packages that bring
 * the programs. The reporter of the tests writes which tests were left out to the file that RELAIS_LEFT_OUT names.
 */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";

/** Scripts are bundled elsewhere, and run in the root. */
const root = process.cwd();

/** The packages of `.ci/packages` whose program is not on the PATH. */
export function listMissingPackages() {
  return readFileSync(join(root, ".ci/packages"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(" "))
    .filter(([, program]) => !isOnPath(program))
    .map(([name]) => name);
}

function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Titles of the tests that were left out, by file. */
export function readLeftOut(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/** One line for the end of `npm test`; null where every test ran. */
export function describeLeftOut(leftOut) {
  const count = Object.values(leftOut).flat().length;
  if (count === 0) return null;
  const missing = listMissingPackages();
  const ways = [
    ...(missing.length === 0 ? [] : [`\`apt-get install ${missing.join(" ")}\``]),
    ...(process.getuid?.() === 0 ? [] : ["root"]),
  ];
  const cure = ways.length === 0 ? "this machine cannot run them" : `to run them, it takes ${ways.join(" and ")}`;
  return `left out ${count} tests in ${Object.keys(leftOut).length} files; ${cure}`;
}

/** @type {import("vitest/node").Reporter} */
export const noteLeftOut = {
  onTestRunEnd(modules) {
    const path = process.env.RELAIS_LEFT_OUT;
    if (path === undefined) return;
    const leftOut = {};
    for (const module of modules) {
      const titles = [...module.children.allTests("skipped")].map((test) => test.name);
      if (titles.length > 0) leftOut[relative(root, module.moduleId)] = titles;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(leftOut, null, 2)}\n`);
  },
};
