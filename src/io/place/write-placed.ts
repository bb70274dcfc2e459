import { chmodSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import { joinBytes } from "../files/byte-path.ts";
import { makeFolders } from "../files/make-folders.ts";

/** A file of a place; both strings are byte strings. */
export interface PlacedFile {
  readonly path: string;
  /** Null removes it. */
  readonly content: Buffer | null;
  /** Absent keeps the mode that it has. */
  readonly mode?: number;
}

/** Writes or removes a file in a place of its own. No link is followed, neither in place of the file nor above it. */
export function writePlaced(tree: string, { path, content, mode }: PlacedFile): void {
  const target = joinBytes(tree, path);
  const stats = lstatSync(target, { throwIfNoEntry: false });
  if (content === null) {
    if (isReached(tree, path) && stats?.isDirectory() !== true) rmSync(target, { force: true });
    return;
  }
  makeFoldersAbove(tree, path);
  rmSync(target, { force: true, recursive: true });
  writeFileSync(target, content, { flag: "wx" });
  chmodSync(target, mode ?? (stats === undefined ? 0o644 : stats.mode & 0o7777));
}

function isReached(tree: string, path: string): boolean {
  return listAbove(path).every((above) => findKind(tree, above) === "folder");
}

function makeFoldersAbove(tree: string, path: string): void {
  for (const above of listAbove(path)) {
    const kind = findKind(tree, above);
    if (kind === "other") throw new MeasurementError(toText(path), `${toText(above)} is not a folder`);
    if (kind === null) makeFolders(joinBytes(tree, above), 0o755);
  }
}

function findKind(tree: string, path: string): "folder" | "other" | null {
  const stats = lstatSync(joinBytes(tree, path), { throwIfNoEntry: false });
  if (stats === undefined) return null;
  return stats.isDirectory() ? "folder" : "other";
}

function listAbove(path: string): readonly string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_name, index) => names.slice(0, index + 1).join("/"));
}

const toText = (path: string): string => Buffer.from(path, "latin1").toString("utf8");
