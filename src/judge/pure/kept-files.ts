/**
 * Which part of a change can be kept, and why the rest cannot. Forbidden files are left out first: a protected file
 * must not survive in a second place because a builder touched it.
 */
import type { Change, EntrySide, Evidence } from "../../records/evidence.ts";
import type { KeptFile, LeftOut } from "../../records/kept-work.ts";
import { compileForbidden } from "../../base/globs.ts";
import { compileProtection, makeHeldTest } from "./lifted-paths.ts";
import { isGitLike } from "../../base/path-names.ts";

export interface KeepLimits {
  readonly filesMax: number;
  readonly fileBytesMax: number;
  /** Both sides of all files together. */
  readonly totalBytesMax: number;
}

export interface KeptFiles {
  readonly files: readonly KeptFile[];
  readonly leftOut: readonly LeftOut[];
}

type JudgedChanges = Pick<Evidence, "rules" | "changes">;

const encoder = new TextEncoder();

export function chooseKeptFiles({ rules, changes }: JudgedChanges, limits: KeepLimits): KeptFiles {
  const isForbidden = compileProtection(rules);
  const isHeld = makeHeldTest(rules);
  const isRunners = compileForbidden(rules.runner_owned_globs);
  const files: KeptFile[] = [];
  const leftOut: LeftOut[] = [];
  let bytes = 0;
  for (const change of changes) {
    const file = makeKeptFile(change);
    const size = countFileBytes(file.before) + countFileBytes(file.after);
    const reason = findProtectedReason(change, isForbidden, isRunners, isHeld) ?? findFormReason(change, file);
    if (reason !== null) leftOut.push({ path: change.path, reason });
    else if (!fits(file, limits) || bytes + size > limits.totalBytesMax || files.length >= limits.filesMax)
      leftOut.push({ path: change.path, reason: "size" });
    else {
      files.push(file);
      bytes += size;
    }
  }
  return { files, leftOut };
}

/** The same for changes that no commit holds: only the runner's files, form and size decide. */
export function chooseKeptBesides({ rules, changes }: JudgedChanges, limits: KeepLimits): KeptFiles {
  const own = { ...rules, forbidden_globs: [] };
  const visible = changes
    .filter(({ before, after }) => [before, after].some((side) => side !== null && side.type !== "directory"))
    .map((change): Change => ({ ...change, standing: "untracked" }));
  return chooseKeptFiles({ rules: own, changes: visible }, limits);
}

/** What is held for a person is kept: the person may want it. */
function findProtectedReason(
  change: Change,
  isForbidden: (path: string) => string | null,
  isRunners: (path: string) => string | null,
  isHeld: (path: string) => boolean,
): LeftOut["reason"] | null {
  const mayKeep = change.standing !== "ignored" && isHeld(change.path);
  if (isForbidden(change.path) !== null && !mayKeep) return "forbidden";
  if (isRunners(change.path) !== null) return "runner_owned";
  return change.standing === "ignored" ? "ignored" : null;
}

function findFormReason(change: Change, { before, after }: KeptFile): LeftOut["reason"] | null {
  if (change.inside_repository !== null) return "nested_repository";
  if (!isStorableName(change.path)) return "name";
  if (before === null && after === null) return "type";
  return [before, after].every((side) => side === null || isStorable(side)) ? null : "type";
}

function makeKeptFile({ path, path_base64, before, after, checked_out }: Change): KeptFile {
  const file = { path, path_base64, before: keepUnlessFolder(before), after: keepUnlessFolder(after) };
  return checked_out === undefined ? file : { ...file, checked_out };
}

export function findSideBefore({ before, checked_out }: KeptFile): EntrySide | null {
  return checked_out === false ? null : before;
}

/** Git stores no folders. */
function keepUnlessFolder(side: EntrySide | null): EntrySide | null {
  return side?.type === "directory" ? null : side;
}

/** A link text that is not UTF-8 is shown with escapes, so the link could not be created again. */
function isStorable({ type, link_target, size }: EntrySide): boolean {
  if (type !== "symlink") return type === "file";
  return link_target !== null && encoder.encode(link_target).length === size;
}

function fits({ before, after }: KeptFile, { fileBytesMax }: KeepLimits): boolean {
  return [before, after].every((side) => side?.type !== "file" || (side.id !== null && side.size <= fileBytesMax));
}

function countFileBytes(side: EntrySide | null): number {
  return side?.type === "file" ? side.size : 0;
}

/** Whether git accepts the name. Checked again for every name that is read back. */
export function isStorableName(path: string): boolean {
  return path
    .split("/")
    .every((part) => part !== "" && part !== "." && part !== ".." && !part.includes("\0") && !isGitLike(part));
}
