import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { type HostileBuilder, readBuilder } from "../../src/drill/pure/hostile-builder.ts";

export const ATTACKS = "attacks";

/** Finds every attack below a folder, in a stable order. */
export function discoverAttacks(folder = ATTACKS): readonly HostileBuilder[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => [".sh", ".mjs"].includes(extname(name)))
    .toSorted()
    .map((name) => readBuilder(name, readFileSync(join(folder, name), "utf8")));
}

/** What both drivers can be asked to try. */
export const isForKernel = ({ driver }: HostileBuilder): boolean => driver !== "tick";
export const isForTick = ({ driver }: HostileBuilder): boolean => driver !== "kernel";
