import { existsSync, readFileSync, writeFileSync } from "node:fs";

export const fixture = (name) => JSON.parse(readFileSync(`test/fixtures/${name}.json`, "utf8"));

/** Compares a text with its snapshot, and keeps it fresh. */
export function matches(name, text) {
  const path = `test/snapshots/${name}.txt`;
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}
