/**
 * Entries that are dangerous whatever the scope says: by their name, their type, their mode or where they lead.
 *
 * A path that git ignores is never committed, and honest tools fill ignored folders with links, hard links, sockets
 * and whole repositories. There, only what can hang or hand power to whoever meets it is refused: pipes, devices and
 * set-id bits. Ignored paths that the configuration declares writable are left alone.
 */
import type { Change, EntrySide } from "../../contract/evidence/evidence.ts";
import { findUnsafeName } from "../paths/path-policy.ts";
import { type Gate, grants, listIgnoredChanges, type GateInput, listVisibleChanges } from "./gate.ts";
import { type Danger, findLinkDanger } from "./link-danger.ts";
import { quote } from "../words/quote.ts";

const SET_USER = 0o4000;
const SET_GROUP = 0o2000;
const STICKY = 0o1000;
const OWNER_READ = 0o400;

const VISIBLE_DANGERS: readonly ((change: Change) => string | null)[] = [
  nameDanger,
  submoduleDanger,
  specialDanger,
  modeDanger,
  hardLinkDanger,
  placeDanger,
  collisionDanger,
  accessDanger,
];

/** Refuses entries that are unsafe in themselves. One entry may be refused for several reasons. */
export const unsafePath: Gate = {
  id: "unsafe-path",
  refuse: (gateInput) => [
    ...listVisibleChanges(gateInput).flatMap((change) => refusals(change, visibleDangers(gateInput, change))),
    ...listIgnoredChanges(gateInput)
      .filter((change) => grants(gateInput.ignoredWritable, change) === null)
      .flatMap((change) => refusals(change, ignoredDangers(change))),
  ],
};

function refusals({ path }: Change, dangers: readonly Danger[]) {
  return dangers.map(({ rule, glob }) => ({ code: "STOP_UNSAFE_PATH" as const, subject: path, rule, glob }));
}

function visibleDangers(gateInput: GateInput, change: Change): Danger[] {
  const dangers = VISIBLE_DANGERS.map((danger) => danger(change)).filter((rule) => rule !== null);
  const link = findLinkDanger(gateInput, change);
  return link === null ? dangers.map(plain) : [...dangers.map(plain), link];
}

function ignoredDangers(change: Change): Danger[] {
  const special = change.after?.type === "socket" ? null : specialDanger(change);
  return [special, modeDanger(change)].filter((rule) => rule !== null).map(plain);
}

function plain(rule: string): Danger {
  return { rule, glob: null };
}

function nameDanger(change: Change): string | null {
  if (change.before !== null || change.after === null) return null;
  const reason = findUnsafeName(change);
  return reason === null ? null : `The new name is unsafe: it ${reason}.`;
}

function submoduleDanger({ before, after }: Change): string | null {
  const touched = before?.type === "gitlink" || after?.type === "gitlink";
  return touched ? "A submodule may not be added, moved or removed by a builder." : null;
}

function specialDanger({ before, after }: Change): string | null {
  if (after === null || after.type === before?.type) return null;
  const special = after.type === "fifo" || after.type === "socket" || after.type === "device";
  return special ? `A builder may create files, folders and links, but this is a ${after.type}.` : null;
}

/**
 * Set-id and sticky bits that were not there before. A new directory inherits its group bit from the one above it, and
 * the sticky bit of a directory only protects, so directories count when a bit with power was added to an old one.
 */
function modeDanger({ before, after }: Change): string | null {
  if (after === null) return null;
  if (after.type === "directory" && before?.type !== "directory") return null;
  const watched = after.type === "directory" ? SET_USER | SET_GROUP : SET_USER | SET_GROUP | STICKY;
  const old = before?.type === after.type ? bits(before) : 0;
  if ((bits(after) & watched & ~old) === 0) return null;
  return `A set-id or sticky bit was added: the mode is ${after.mode}.`;
}

function bits({ mode }: EntrySide): number {
  return Number.parseInt(mode, 8);
}

function hardLinkDanger({ before, after }: Change): string | null {
  if (after?.type !== "file" || after.hard_links <= 1) return null;
  const grew = before?.type !== "file" || after.hard_links > before.hard_links;
  return grew ? "The file is hard-linked, so its content can change through another name." : null;
}

function placeDanger({ inside_repository: repository }: Change): string | null {
  return repository === null ? null : `The path lies inside another repository, ${quote(repository)}.`;
}

function collisionDanger({ before, after, collides_with: twin }: Change): string | null {
  if (twin === null || before !== null || after === null) return null;
  return `Systems that ignore case or normalisation cannot tell this name from ${quote(twin)}.`;
}

/** Root can read everything, so the mode says what the owner would meet. */
function accessDanger({ before, after, made_readable: madeReadable }: Change): string | null {
  if (madeReadable) return "The entry was unreadable until its permissions were lifted.";
  if (after === null || isReadable(after) || (before?.type === after.type && !isReadable(before))) return null;
  return `Its owner may not read it: the mode is ${after.mode}.`;
}

function isReadable(side: EntrySide): boolean {
  return (side.type !== "file" && side.type !== "directory") || (bits(side) & OWNER_READ) !== 0;
}
