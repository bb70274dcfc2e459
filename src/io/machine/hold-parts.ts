/**
 * Keeps the parts of relais in memory: those that are needed later are then the ones that were installed when the first
 * program started. A builder of the same user can write to them, and must not change what this process does.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const SUFFIX = ".cjs";
let held: ReadonlyMap<string, string> | null = null;

/** Holds the parts in `folder`, which is the one of this file in the executable; the sources have none. */
export function holdParts(folder: string = __dirname): void {
  if (held !== null) return;
  const files = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  held = new Map(files.map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]));
  if (held.size > 0) createRequire(join(folder, SUFFIX)).extensions[SUFFIX] = loadHeld;
}

function loadHeld(module: NodeJS.Module, file: string): void {
  const code = held?.get(file);
  if (code === undefined) throw new Error(`${file} was no part of relais at its start`);
  // How Node itself loads the text of a module.
  const compile: unknown = Reflect.get(module, "_compile");
  if (typeof compile !== "function") throw new Error("this Node loads no module from memory");
  Reflect.apply(compile, module, [code, file]);
}
