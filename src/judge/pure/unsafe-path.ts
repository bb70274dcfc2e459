/**
 * Entries that are dangerous whatever the scope says: by name, type, mode or target. Ignored paths are never committed,
 * and honest tools fill ignored folders with links, hard links, sockets and repositories. There, only pipes, devices
 * and set-id bits are refused. Ignored paths under a writable glob are not checked.
 */
import type { Change, EntrySide } from "../../records/evidence.ts";
import { findUnsafeName, isGitLike } from "../../base/path-names.ts";
import { type Gate, grants, listIgnoredChanges, type GateInput, listVisibleChanges, grantsFolder } from "./gate.ts";
import { quote } from "../../base/words.ts";

const SET_USER = 0o4000;
const SET_GROUP = 0o2000;
const STICKY = 0o1000;
const OWNER_READ = 0o400;

const VISIBLE_DANGERS: readonly ((change: Change) => string | null)[] = [
  findNameDanger,
  findSubmoduleDanger,
  findSpecialDanger,
  findModeDanger,
  findHardLinkDanger,
  findPlaceDanger,
  findCollisionDanger,
  findAccessDanger,
];

/** One entry may be refused for several reasons. */
export const unsafePath: Gate = {
  id: "unsafe-path",
  refuse: (gateInput) => [
    ...listVisibleChanges(gateInput).flatMap((change) => refuseDangers(change, findVisibleDangers(gateInput, change))),
    ...listIgnoredChanges(gateInput)
      .filter((change) => grants(gateInput.ignoredWritable, change) === null)
      .flatMap((change) => refuseDangers(change, findIgnoredDangers(change))),
  ],
};

function refuseDangers({ path }: Change, dangers: readonly Danger[]) {
  return dangers.map(({ rule, glob }) => ({ code: "STOP_UNSAFE_PATH" as const, subject: path, rule, glob }));
}

function findVisibleDangers(gateInput: GateInput, change: Change): Danger[] {
  const dangers = VISIBLE_DANGERS.map((danger) => danger(change)).filter((rule) => rule !== null);
  const link = findLinkDanger(gateInput, change);
  return link === null ? dangers.map(makeDanger) : [...dangers.map(makeDanger), link];
}

function findIgnoredDangers(change: Change): Danger[] {
  const special = change.after?.type === "socket" ? null : findSpecialDanger(change);
  return [special, findModeDanger(change)].filter((rule) => rule !== null).map(makeDanger);
}

function makeDanger(rule: string): Danger {
  return { rule, glob: null };
}

function findNameDanger(change: Change): string | null {
  if (change.before !== null || change.after === null) return null;
  const reason = findUnsafeName(change);
  return reason === null ? null : `The new name is unsafe: it ${reason}.`;
}

function findSubmoduleDanger({ before, after }: Change): string | null {
  const touched = before?.type === "gitlink" || after?.type === "gitlink";
  return touched ? "A submodule may not be added, moved or removed by a builder." : null;
}

function findSpecialDanger({ before, after }: Change): string | null {
  if (after === null || after.type === before?.type) return null;
  const special = after.type === "fifo" || after.type === "socket" || after.type === "device";
  return special ? `A builder may create files, folders and links, but this is a ${after.type}.` : null;
}

/**
 * Set-id and sticky bits that are new. A new directory inherits its group bit, and the sticky bit of a directory only
 * protects, so for directories only a set-id bit that was added to an existing one counts.
 */
function findModeDanger({ before, after }: Change): string | null {
  if (after === null) return null;
  if (after.type === "directory" && before?.type !== "directory") return null;
  const watched = after.type === "directory" ? SET_USER | SET_GROUP : SET_USER | SET_GROUP | STICKY;
  const old = before?.type === after.type ? readModeBits(before) : 0;
  if ((readModeBits(after) & watched & ~old) === 0) return null;
  return `A set-id or sticky bit was added: the mode is ${after.mode}.`;
}

function readModeBits({ mode }: EntrySide): number {
  return Number.parseInt(mode, 8);
}

function findHardLinkDanger({ before, after }: Change): string | null {
  if (after?.type !== "file" || after.hard_links <= 1) return null;
  const grew = before?.type !== "file" || after.hard_links > before.hard_links;
  return grew ? "The file is hard-linked, so its content can change through another name." : null;
}

function findPlaceDanger({ inside_repository: repository }: Change): string | null {
  return repository === null ? null : `The path lies inside another repository, ${quote(repository)}.`;
}

function findCollisionDanger({ before, after, collides_with: twin }: Change): string | null {
  if (twin === null || before !== null || after === null) return null;
  return `Systems that ignore case or normalisation cannot tell this name from ${quote(twin)}.`;
}

/** Root can read everything, so the mode decides what the owner could read. */
function findAccessDanger({ before, after, made_readable: madeReadable }: Change): string | null {
  if (madeReadable) return "The entry was unreadable until its permissions were lifted.";
  if (after === null || isReadable(after) || (before?.type === after.type && !isReadable(before))) return null;
  return `Its owner may not read it: the mode is ${after.mode}.`;
}

function isReadable(side: EntrySide): boolean {
  return (side.type !== "file" && side.type !== "directory") || (readModeBits(side) & OWNER_READ) !== 0;
}

/** Where the text of a link leads. Only the text counts, because its target may be created later. */
type Destination =
  { readonly kind: "inside"; readonly path: string } | { readonly kind: "unsafe"; readonly why: string };

interface Danger {
  readonly rule: string;
  readonly glob: string | null;
}

/** Only a link that is new or has another target. */
function findLinkDanger(gateInput: GateInput, { path, before, after }: Change): Danger | null {
  if (after?.type !== "symlink") return null;
  const target = after.link_target;
  if (before?.type === "symlink" && target !== null && before.link_target === target) return null;
  const destination = resolveLink(path, target);
  return destination.kind === "inside"
    ? findScopeDanger(gateInput, destination.path)
    : { rule: `A link ${destination.why}.`, glob: null };
}

function findScopeDanger(gateInput: GateInput, path: string): Danger | null {
  const glob = gateInput.runnerOwned(path) ?? gateInput.forbidden(path);
  if (glob !== null) return { rule: `A link may not lead to ${quote(path)}, which is protected.`, glob };
  if (grantsFolder(gateInput.allowed, path) !== null) return null;
  return { rule: `A link may not lead to ${quote(path)}, which lies outside the allowed globs.`, glob: null };
}

function resolveLink(path: string, target: string | null): Destination {
  if (target === null) return refuseLink("must have a target that can be read");
  if (target === "") return refuseLink("must have a target");
  if (target.startsWith("/")) return refuseLink(`must be relative, but leads to ${quote(target)}`);
  const steps = target.split("/").filter((step) => step !== "" && step !== ".");
  const descent = steps.findIndex((step) => step !== "..");
  const down = descent === -1 ? [] : steps.slice(descent);
  // After a name, which may itself be a link, `..` no longer says where it leads.
  if (down.includes("..")) {
    return refuseLink(`may use \`..\` only at its beginning, but leads to ${quote(target)}`);
  }
  const folder = path.split("/").slice(0, -1);
  const climbed = folder.length - (steps.length - down.length);
  if (climbed < 0) return refuseLink(`must stay inside the repository, but leads to ${quote(target)}`);
  return resolveInside([...folder.slice(0, climbed), ...down]);
}

function resolveInside(resolved: readonly string[]): Destination {
  if (resolved.length === 0) return refuseLink("may not lead to the root of the repository");
  const path = resolved.join("/");
  return resolved.some(isGitLike)
    ? refuseLink(`may not lead into git's data, but leads to ${quote(path)}`)
    : { kind: "inside", path };
}

function refuseLink(why: string): Destination {
  return { kind: "unsafe", why };
}
