/**
 * Keeps the commits, stashes and branches that a rollback takes away.
 *
 * A builder may have committed its work instead of leaving it in the tree, and between a crash and its recovery a person
 * may have gone on working. Nobody can tell one from the other, so the objects are copied into a folder of the state
 * directory that git can read as an alternate, and a list says which names led to them.
 */
import { appendFileSync, constants, copyFileSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Entry } from "../../contract/evidence/manifest.ts";
import { joinBytes } from "../files/byte-path.ts";
import { readClockMs } from "../machine/clock.ts";
import { makeFolders } from "../files/make-folders.ts";

interface Step {
  readonly path: string;
  readonly entry: Entry;
}

export interface RescueRequest {
  /** The git directory, as a byte string. */
  readonly folder: string;
  /** The state directory. */
  readonly stateDirectory: string;
  /** Entries as they are now that are to be removed or written over. */
  readonly steps: readonly Step[];
}

const MIB = 1024 * 1024;
/** More than this is no work of an afternoon. */
const FILE_BYTES_MAX = 64 * MIB;
const TOTAL_BYTES_MAX = 256 * MIB;
const OBJECT = /^objects\/(?<name>[0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/pack-[0-9a-f]+\.(?:pack|idx))$/;

/** Copies what would be lost. A link or anything else that is no regular file of git is left where it is. */
export function rescueCommits({ folder, stateDirectory, steps }: RescueRequest): void {
  const target = join(stateDirectory, "rescued");
  let bytes = 0;
  for (const { path, entry } of steps.filter((step) => step.entry.type === "file")) {
    const name = OBJECT.exec(path)?.groups?.["name"];
    if (name !== undefined && entry.size <= FILE_BYTES_MAX && bytes + entry.size <= TOTAL_BYTES_MAX) {
      bytes += entry.size;
      keepObject(joinBytes(folder, path), join(target, "objects", name));
    }
    if (/^(HEAD|refs\/|logs\/refs\/stash$)/.test(path) && entry.size <= MIB) note(target, { folder, path });
  }
}

function keepObject(source: Buffer, target: string): void {
  if (existsSync(target)) return;
  makeFolders(dirname(target), 0o700);
  copyFileSync(source, target, constants.COPYFILE_FICLONE);
}

function note(target: string, { folder, path }: { readonly folder: string; readonly path: string }): void {
  const text = readFileSync(joinBytes(folder, path), "latin1").trim();
  makeFolders(target, 0o700);
  const moment = new Date(readClockMs()).toISOString();
  appendFileSync(join(target, "refs.log"), `${moment} ${path} ${JSON.stringify(text)}\n`, { mode: 0o600 });
}
