import { readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { type HostileBuilder, readBuilder } from "../../src/core/drill/hostile-builder.ts";

/** Finds every builder below a folder, in a stable order. */
export function discoverBuilders(folder: string): HostileBuilder[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => [".sh", ".mjs"].includes(extname(name)))
    .toSorted()
    .map((name) => readBuilder(name, readFileSync(join(folder, name), "utf8")));
}
