import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describeError } from "../base/describe-error.ts";
import { beginOwnName } from "../system/own-folders.ts";
import { removeTree } from "../system/remove-tree.ts";
import { openMountHolder } from "./mount-holder.ts";
import { makeLayers } from "./place-folder.ts";

const answers = new Map<number, Promise<string | null>>();

/**
 * Whether an overlay works below a folder: it is mounted, a file and a folder are removed in it, and the folder is made
 * again. Null where it works, else why not. Tried once in a process for each file system, because a version says little;
 * elsewhere if the folder is not made yet.
 */
export function tryOverlay(folder: string): Promise<string | null> {
  if (process.platform !== "linux") return Promise.resolve("overlays exist on Linux only");
  const place = existsSync(folder) ? folder : "/tmp";
  const { dev } = statSync(place);
  const known = answers.get(dev) ?? mountAndChange(place);
  answers.set(dev, known);
  return known;
}

async function mountAndChange(place: string): Promise<string | null> {
  const layers = mkdtempSync(join(place, beginOwnName()));
  try {
    const worktree = join(layers, "worktree");
    mkdirSync(join(worktree, "folder"), { recursive: true });
    for (const name of ["file", "folder/file"]) writeFileSync(join(worktree, name), "");
    makeLayers(layers, worktree);
    const holder = await openMountHolder({ worktree, layers, readOnly: [], marker: "overlay-test" });
    if (holder.kind === "refused") return holder.reason;
    try {
      return isChanged(holder.view(worktree)) && readdirSync(worktree).length === 2 ? null : "its marks do not work";
    } finally {
      await holder.close();
    }
  } catch (error) {
    return describeError(error);
  } finally {
    removeTree(Buffer.from(layers));
  }
}

function isChanged(merged: string): boolean {
  unlinkSync(join(merged, "file"));
  unlinkSync(join(merged, "folder/file"));
  rmdirSync(join(merged, "folder"));
  mkdirSync(join(merged, "folder"));
  return readdirSync(merged).join() === "folder" && readdirSync(join(merged, "folder")).length === 0;
}
