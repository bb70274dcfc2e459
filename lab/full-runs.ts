/** When each part of `npm run test:full` last ran whole, on which commit, and with how many failures: `full-runs.json`. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import * as v from "valibot";

/** Scripts are bundled elsewhere and run in the root. */
const FILE = "lab/full-runs.json";
const FullRuns = v.record(v.string(), v.strictObject({ commit: v.string(), at: v.string(), failures: v.number() }));

function readFullRuns(): v.InferOutput<typeof FullRuns> {
  return existsSync(FILE) ? v.parse(FullRuns, JSON.parse(readFileSync(FILE, "utf8"))) : {};
}

/** One line for each part that is about to run. */
export function describeFullRuns(parts: readonly string[]): readonly string[] {
  const runs = readFullRuns();
  return parts.map((part) => {
    const run = runs[part];
    if (run === undefined) return `${part}: never ran whole`;
    return `${part}: last ran whole on ${run.commit}, ${run.at}, ${String(run.failures)} failures`;
  });
}

export function noteFullRun(part: string, failures: number): void {
  const isClean = askGit("status", "--porcelain") === "";
  const commit = `${askGit("rev-parse", "--short=12", "HEAD")}${isClean ? "" : " with changes"}`;
  const runs = { ...readFullRuns(), [part]: { commit, at: new Date().toISOString().slice(0, 10), failures } };
  writeFileSync(FILE, `${JSON.stringify(runs, null, 2)}\n`);
}

function askGit(...args: readonly string[]): string {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}
