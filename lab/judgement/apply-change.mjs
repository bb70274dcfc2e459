/** Writes one labelled change into a tree. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readSections } from "../sections.mjs";

const MAKE_MS = 60_000;

/** Writes what the sections of this folder hold over a tree. */
export function layOver(sections, folder, tree) {
  for (const { name, data, isExecutable } of sections) {
    if (!name.startsWith(`${folder}/`)) continue;
    const target = join(tree, name.slice(folder.length + 1));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, data);
    chmodSync(target, isExecutable ? 0o755 : 0o644);
  }
}

/** Deletes, writes and makes what the document of a case names, in this order. */
export function applyChange(file, tree) {
  const sections = readSections(readFileSync(file, "utf8"));
  const find = (wanted) => sections.find(({ name }) => name === wanted)?.data.toString();
  const { deletes = [] } = JSON.parse(find("case.json"));
  for (const path of deletes) rmSync(join(tree, path), { recursive: true });
  layOver(sections, "change", tree);
  layOver(sections, "ignored", tree);
  const script = find("make.mjs");
  if (script === undefined) return;
  const args = ["--input-type=module", "-e", script];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: tree, encoding: "utf8", timeout: MAKE_MS });
  if (status !== 0) throw new Error(`make.mjs of ${file} ended with ${status}: ${stderr}`);
}
