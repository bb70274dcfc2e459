/**
 * Runs what the last `npm test` left out, in the files that `.cache/left-out.json` names, and the files whose tests differ for root
 * or by what the machine can mount. It fails where a test is left out again that this machine should be able to run.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type LeftOut, describeLeftOut, readLeftOut } from "./left-out.mjs";
import { SECOND_TIER } from "./second-tier.ts";

const NOTE = ".cache/left-out.json";
const AGAIN = ".cache/left-out-again.json";
const DIFFERS = /getuid|user-driver|isolations\.ts|canMount|without-sandbox|try-overlay/;
/** Tests that only another kind of machine can run. */
const ELSEWHERE: readonly string[] = [];

const before = readLeftOut(NOTE);
const files = new Set([
  ...Object.keys(before),
  ...listTests().filter((path) => DIFFERS.test(readFileSync(path, "utf8"))),
]);
// These tiers run whole.
for (const path of files) if (SECOND_TIER.includes(path) || path.startsWith("test/attacks/")) files.delete(path);
rmSync(AGAIN, { force: true });
const env = { ...process.env, RELAIS_LEFT_OUT: AGAIN };
const { status } = spawnSync("npx", ["vitest", "run", "--project", "whole", ...files], { stdio: "inherit", env });
const again = readLeftOut(AGAIN);
const missing = listTwice(before, again).filter((title) => !ELSEWHERE.includes(title));
for (const title of missing) console.error(`left out again: ${title}`);
if (missing.length > 0) console.error(describeLeftOut(again));
process.exitCode = status === 0 && missing.length === 0 ? 0 : 1;

function listTests(): readonly string[] {
  return ["test", "lab"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(folder, name)),
  );
}

function listTwice(first: LeftOut, second: LeftOut): readonly string[] {
  return Object.entries(first)
    .filter(([path]) => files.has(path))
    .flatMap(([path, titles]) =>
      titles.filter((title) => second[path]?.includes(title) === true).map((title) => `${path}: ${title}`),
    );
}
