import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

export const fixture = (name) => JSON.parse(readFileSync(`test/fixtures/${name}.json`, "utf8"));

/** Compares a text with its snapshot; `--update` writes it. */
export function matches(name, text) {
  const path = `test/snapshots/${name}.txt`;
  if (process.argv.includes("--update")) writeFileSync(path, text);
  assert.ok(existsSync(path), `${path} is missing`);
  assert.equal(text, readFileSync(path, "utf8"));
}
