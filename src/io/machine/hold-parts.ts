/**
 * Keeps the parts of relais in memory: those that are needed later are then the ones that were installed when the first
 * program started. A builder of the same user can write to them, and must not change what this process does.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const SUFFIX = ".cjs";
const heldFolders = new Set<string>();

/** Holds the parts in `folder`, which is the one of this file in the executable; the sources have none. */
export function holdParts(folder: string | null = typeof __dirname === "undefined" ? null : __dirname): void {
  if (folder === null || heldFolders.has(folder)) return;
  heldFolders.add(folder);
  const files = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  if (files.length === 0) return;
  const parts = new Map(files.map((name) => [join(folder, name), readFileSync(join(folder, name), "utf8")]));
  const { extensions } = createRequire(join(folder, SUFFIX));
  const loadOther = extensions[SUFFIX] ?? extensions[".js"];
  extensions[SUFFIX] = (module, file) => {
    if (dirname(file) === folder) compilePart(module, file, parts.get(file));
    else loadOther(module, file);
  };
}

function compilePart(module: NodeJS.Module, file: string, code: string | undefined): void {
  if (code === undefined) throw new Error(`${file} was no part of relais at its start`);
  // How Node itself loads the text of a module.
  const compile: unknown = Reflect.get(module, "_compile");
  if (typeof compile !== "function") throw new Error("this Node loads no module from memory");
  Reflect.apply(compile, module, [code, file]);
}
