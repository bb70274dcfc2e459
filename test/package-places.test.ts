/** The package works in a folder of any name, for an ordinary user, and installed for everybody. */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { goodWalk, install, pack, type Packed, type Starter, walkThrough } from "./support/installed.ts";

const ROOT = join(import.meta.dirname, "..");
const NOBODY = 65_534;

const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "relais-package-")));
chmodSync(folder, 0o755); // One test runs what is installed as another user.
let packed: Packed;
beforeAll(() => {
  packed = pack(ROOT, inject("built"), folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("installed in a folder of any name that cannot be written to, it works for an ordinary user", () => {
  const place = join(folder, "über uns/包 $(x) 'y'");
  install(packed, place);
  const spread = readdirSync(place, { recursive: true, encoding: "utf8" }).map((name) => join(place, name));
  for (const path of [...spread, dirname(place), place]) chmodSync(path, statSync(path).mode & 0o555);
  onTestFinished(() => {
    for (const path of [dirname(place), place, ...spread]) chmodSync(path, statSync(path).mode | 0o200);
  });
  const starter: Starter = {
    command: [join(place, "node_modules/.bin/relais")],
    ...(process.getuid?.() === 0 ? { uid: NOBODY } : {}),
  };
  expect(walkThrough(starter, folder)).toEqual(goodWalk(version));
});

test("installed for everybody, the link among the programs works", () => {
  const prefix = join(folder, "global");
  install(packed, prefix, "--global", "--prefix", prefix);
  const program = join(prefix, "bin/relais");
  const file = realpathSync(program);
  expect(file).toBe(join(prefix, "lib/node_modules/relais/dist/relais.cjs"));
  expect((statSync(file).mode & 0o777).toString(8)).toBe("755");
  expect(readFileSync(file, "utf8").split("\n", 1)).toEqual(["#!/usr/bin/env node"]);
  expect(walkThrough({ command: [program] }, prefix)).toEqual(goodWalk(version));
});
