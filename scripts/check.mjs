/**
 * Everything that a change must pass: the static checks, as many at a time as there are cores, then the tests. The
 * commands are the scripts of package.json, so each can be run alone. A check that fails prints what it found, and the
 * tests run only if none did. The last line says what this machine left out.
 */
import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { describeLeftOut, readLeftOut } from "./left-out.mjs";

/** The slowest first, so that no core waits for it at the end. */
const STATIC = ["check:types", "check:lint", "check:dead", "check:boundaries", "check:format"];
const TESTS = "check:tests";

const root = resolve(import.meta.dirname, "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const leftOut = process.env.RELAIS_LEFT_OUT ?? join(root, ".cache/left-out.json");
rmSync(leftOut, { force: true });
const env = {
  ...process.env,
  RELAIS_LEFT_OUT: leftOut,
  PATH: join(root, "node_modules/.bin") + delimiter + process.env.PATH,
};

const started = performance.now();
const failed = [];
const queue = [...STATIC];
await Promise.all(Array.from({ length: Math.max(1, availableParallelism()) }, work));
if (failed.length === 0) await check(TESTS, "inherit");
if (failed.includes(TESTS)) console.log(`drawn with RELAIS_SEED=${process.env.RELAIS_SEED ?? "the id of HEAD"}`);
console.log(failed.length === 0 ? `passed in ${seconds(started)}` : `failed: ${failed.join(", ")}`);
const notTried = describeLeftOut(readLeftOut(leftOut));
if (notTried !== null) console.log(notTried);
process.exitCode = failed.length === 0 ? 0 : 1;

async function work() {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) await check(name, "pipe");
}

/** Runs one script. Its output is shown at once, or where it is piped only if it fails. */
async function check(name, stdio) {
  const begun = performance.now();
  const child = spawn(scripts[name], { cwd: root, env, shell: true, stdio: ["ignore", stdio, stdio] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => output.push(data));
  const status = await new Promise((end) => {
    child.once("error", () => end(null)).once("close", end);
  });
  console.log(`${status === 0 ? "✓" : "✗"} ${name} ${seconds(begun)}`);
  if (status === 0) return;
  failed.push(name);
  process.stdout.write(Buffer.concat(output));
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
