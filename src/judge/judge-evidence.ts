import type { Change, EntrySide } from "../records/evidence.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import { findCollisions } from "../evidence/pure/collisions.ts";
import { decodePath } from "../base/path-text.ts";
import type { GitDifference, GitSide, LineCounts } from "../git/git-difference.ts";
import type { GitObject } from "../git/git-objects.ts";

interface ChangeContext {
  readonly objects: ReadonlyMap<string, GitObject>;
  /** Byte strings of the paths that a new name may collide with. */
  readonly existing: readonly string[];
  /** True for a working tree only. */
  readonly isUntracked: boolean;
}

export function listChanges(differences: readonly GitDifference[], surroundings: ChangeContext): readonly Change[] {
  const { objects, existing, isUntracked } = surroundings;
  const added = differences.filter(({ before }) => before === null).map(({ path }) => decodePath(path).text);
  const collisions = findCollisions(added, added.length === 0 ? [] : existing.map((path) => decodePath(path).text));
  return differences.map((difference) => {
    const { text, base64 } = decodePath(difference.path);
    const counts = difference.counts ?? countWhole(difference, objects);
    const isLink = [difference.before, difference.after].some((side) => side?.mode === "160000");
    return {
      path: text,
      path_base64: base64,
      before: describeSide(difference.before, objects),
      after: describeSide(difference.after, objects),
      standing: isUntracked && difference.before === null ? "untracked" : "tracked",
      lines_added: counts.added,
      lines_deleted: counts.deleted,
      bytes_changed: counts.bytes,
      inside_repository: isLink ? text : null,
      collides_with: difference.before === null ? collisions.with(text) : null,
      made_readable: false,
    };
  });
}

/** Content that was not compared line by line counts as replaced altogether. */
function countWhole({ before, after }: GitDifference, objects: ReadonlyMap<string, GitObject>): LineCounts {
  const [was, is] = [findContent(before, objects), findContent(after, objects)];
  return { added: countLines(is), deleted: countLines(was), bytes: (was?.size ?? 0) + (is?.size ?? 0) };
}

function countLines(object: GitObject | null): number {
  if (object === null || object.size === 0) return 0;
  return Math.max(1, object.newlines);
}

function findContent(side: GitSide | null, objects: ReadonlyMap<string, GitObject>): GitObject | null {
  if (side === null || side.mode === "160000") return null;
  const object = objects.get(side.id);
  if (object === undefined) throw new MeasurementError(`object ${side.id}`, "was not read");
  return object;
}

const TYPES: Readonly<Record<string, EntrySide["type"]>> = {
  "100": "file",
  "120": "symlink",
  "160": "gitlink",
};

/** A tree knows two modes of a file; the others are what a checkout makes of the entry. */
const MODES: Readonly<Record<string, string>> = { "120000": "0777", "160000": "0755" };

function describeSide(side: GitSide | null, objects: ReadonlyMap<string, GitObject>): EntrySide | null {
  if (side === null) return null;
  const type = TYPES[side.mode.slice(0, 3)];
  if (type === undefined) throw new MeasurementError(`mode ${side.mode}`, "is none that git uses for files");
  const object = findContent(side, objects);
  const link = type === "symlink" ? (object?.content ?? null) : null;
  return {
    type,
    mode: MODES[side.mode] ?? `0${side.mode.slice(3)}`,
    size: object?.size ?? 0,
    id: side.id,
    link_target: link === null ? null : decodePath(link.toString("latin1")).text,
    hard_links: 1,
  };
}
