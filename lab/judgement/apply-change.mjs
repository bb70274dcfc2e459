/**
 * Writes one labelled change into a tree. Names that begin with `dot-` stand for hidden files, because git would obey a
 * `.gitignore` of a case.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const MAKE_MS = 60_000;

/** Writes the files of a folder of the corpus over a tree. */
export function layOver(folder, tree) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const target = join(tree, entry.name.replace(/^dot-/, "."));
    if (entry.isDirectory()) layOver(join(folder, entry.name), target);
    else {
      mkdirSync(tree, { recursive: true });
      cpSync(join(folder, entry.name), target);
    }
  }
}

/** Deletes, copies, writes and makes what the case names, in this order. */
export function applyChange(folder, tree) {
  const { deletes = [], writes = {} } = JSON.parse(readFileSync(join(folder, "case.json"), "utf8"));
  for (const path of deletes) rmSync(join(tree, path), { recursive: true });
  layOver(join(folder, "change"), tree);
  for (const [path, text] of Object.entries(writes)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  const script = join(folder, "make.mjs");
  if (!existsSync(script)) return;
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: tree, encoding: "utf8", timeout: MAKE_MS });
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr}`);
}
