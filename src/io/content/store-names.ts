import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readClockMs } from "../machine/clock.ts";
import type { ContentStore } from "./content-store.ts";

/** The names of everything that the store holds. One that is missing later is content that was lost. */
export function storeNames({ gitDir, largeDir }: Pick<ContentStore, "gitDir" | "largeDir">): readonly string[] {
  const objects = join(gitDir, "objects");
  return [
    ...readdirSync(objects).flatMap((name) => listNames(`${objects}/${name}`, `${name}/`)),
    ...listNames(largeDir, "large/"),
  ].toSorted();
}

interface ListedFolder {
  readonly inode: number;
  readonly changedAt: number;
  readonly names: readonly string[];
}

/** A folder that changed so recently may change again without another time. */
const SETTLED_MS = 1000;
/** By path. The folders are listed several times in a tick, and few of them change. */
const listed = new Map<string, ListedFolder>();

function listNames(folder: string, prefix: string): readonly string[] {
  const now = readClockMs();
  const { ino: inode, ctimeMs: changedAt } = lstatSync(folder);
  const known = listed.get(folder);
  if (known?.inode === inode && known.changedAt === changedAt) return known.names;
  const names = readdirSync(folder).map((name) => `${prefix}${name}`);
  if (now - changedAt > SETTLED_MS) listed.set(folder, { inode, changedAt, names });
  return names;
}
