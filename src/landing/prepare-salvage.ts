import { join } from "node:path";
import type { KeptFile, KeptWork } from "../records/kept-work.ts";
import type { EntrySide } from "../records/evidence.ts";
import { MeasurementError } from "../base/errors.ts";
import { findSideBefore } from "../judge/pure/kept-files.ts";
import { decodePath } from "../base/path-names.ts";
import type { LandingMove } from "../workflows/pure/workflow.ts";
import { mergeTrees } from "../store/merge-trees.ts";
import { locateLargeFile } from "../store/content-store.ts";
import { isExecutable } from "../store/recorded-entry.ts";
import { type StoredFile, storeTree } from "../store/remove-strays.ts";
import { listUnmovable } from "../store/write-entries.ts";
import { toBytePath } from "../system/byte-path.ts";
import type { GitAccess } from "../git/git.ts";
import { withObjects } from "../git/git-objects.ts";
import { writeObject } from "../git/object-files.ts";
import { createPrivateRepository } from "../git/private-repository.ts";
import { listTree, type TreeFile } from "../git/tree-listing.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { readSides } from "./entry-sides.ts";
import { explainConflict, type LandingBase, type PreparedLanding } from "./landing-base.ts";
import { useGitMode } from "./prepare-range.ts";
import { refuse, type Refusal } from "../records/command-failure.ts";
import type { JournalLine } from "../records/event.ts";
import { countNoun } from "../base/words.ts";
import { findWork } from "../keep/keep-work.ts";

/** Saved work on top of the worktree: what moves where, or what conflicts. Nothing is written but objects. */

type PlacedWork =
  { readonly kind: "placed"; readonly moves: readonly LandingMove[] } | Extract<PreparedLanding, { kind: "conflict" }>;

const BLOB_BYTES_MAX = 64 * 1024 * 1024;

export async function placeWork(ground: LandingBase, { files, run_id: name }: KeptWork): Promise<PlacedWork> {
  const root = toBytePath(ground.repository.root);
  const now = await readSides(ground.store, root, files.map(decodeChangePath));
  const sides = files.map((file) => listSides(file, now));
  const edited = sides.filter(({ before, here }) => !isSame(before, here));
  const [large, small] = [
    sides.filter((side) => isLarge(ground, side)),
    sides.filter((side) => !isLarge(ground, side)),
  ];
  const largeEdited = large.filter((side) => edited.includes(side));
  if (largeEdited.length > 0)
    return nameConflict(
      name,
      largeEdited.map(({ path }) => path),
    );
  const merged = edited.length === 0 ? listPlainMoves(small) : await mergeSides(ground, name, small);
  if ("kind" in merged) return merged;
  const moves = [...merged, ...listPlainMoves(large)];
  const stuck = listUnmovable({ root, moves });
  return stuck.length === 0 ? { kind: "placed", moves } : nameConflict(name, stuck);
}

/** One path before the work, as it is now, and after the work. */
interface ThreeSides {
  readonly path: string;
  readonly before: EntrySide | null;
  readonly here: EntrySide | null;
  readonly after: EntrySide | null;
}

function listSides(file: KeptFile, now: ReadonlyMap<string, EntrySide | null>): ThreeSides {
  const path = decodeChangePath(file);
  const here = now.get(path) ?? null;
  const after = file.after && useGitMode(file.after);
  return { path, before: findSideBefore(file), here: here?.type === "directory" ? null : here, after };
}

function isSame(one: EntrySide | null, other: EntrySide | null): boolean {
  if (one === null || other === null) return one === other;
  const isLike = one.type === other.type && one.id === other.id && one.link_target === other.link_target;
  return isLike && (one.type !== "file" || isExecutable(one) === isExecutable(other));
}

/** Git cannot merge what is stored beside its objects. */
function isLarge({ store }: LandingBase, { before, here, after }: ThreeSides): boolean {
  return [before, here, after].some((side) => typeof side?.id === "string" && locateLargeFile(store, side.id) !== null);
}

function listPlainMoves(sides: readonly ThreeSides[]): readonly LandingMove[] {
  return sides.flatMap(({ path, here, after }) => (isSame(here, after) ? [] : [{ path, from: here, to: after }]));
}

function nameConflict(name: string, paths: readonly string[]): PlacedWork {
  const names = paths.map((path) => decodePath(path).text);
  return { kind: "conflict", name, paths: names, text: names.map((path) => `--- ${path}`).join("\n") };
}

async function mergeSides(ground: LandingBase, name: string, sides: readonly ThreeSides[]) {
  const { store, folder, repository, signal } = ground;
  const write = (side: "before" | "here" | "after"): string =>
    storeTree(
      store,
      sides.flatMap((three) => listStored(ground, three.path, three[side])),
    );
  const own = await createPrivateRepository(join(folder, "merge"), { alternates: [join(store.gitDir, "objects")] });
  const access = { cwd: own.gitDir, environment: repository.environment, gitDir: own.gitDir, signal };
  const trees = { base: write("before"), ours: write("here"), theirs: write("after") };
  const merged = await mergeTrees(access, trees);
  if (merged.kind === "conflict") return explainConflict(access, name, merged);
  return listMergedMoves(ground, access, merged.tree, sides);
}

function listStored({ store }: LandingBase, path: string, side: EntrySide | null): readonly StoredFile[] {
  if (side === null) return [];
  if (side.type === "symlink")
    return [{ path, mode: "120000", id: writeObject(store, "blob", Buffer.from(side.link_target ?? "")) }];
  if (side.type !== "file" || side.id === null) throw new MeasurementError(decodePath(path).text, "cannot be merged");
  return [{ path, mode: isExecutable(side) ? "100755" : "100644", id: side.id }];
}

async function listMergedMoves(
  ground: LandingBase,
  access: GitAccess,
  tree: string,
  sides: readonly ThreeSides[],
): Promise<readonly LandingMove[]> {
  const after = await withObjects(access, async (read) => {
    const entries = await listTree(read, tree);
    const found = new Map<string, EntrySide>();
    for (const entry of entries) {
      const { content } = await read(entry.id, BLOB_BYTES_MAX);
      if (content === null) throw new MeasurementError(decodePath(entry.path).text, "is too large to be merged");
      found.set(entry.path, makeSide(entry, content));
      if (entry.mode !== "120000") writeObject(ground.store, "blob", content);
    }
    return found;
  });
  const here = new Map(sides.map((side) => [side.path, side.here]));
  const paths = new Set([...here.keys(), ...after.keys()]);
  return [...paths].flatMap((path) => {
    const [from, to] = [here.get(path) ?? null, after.get(path) ?? null];
    return isSame(from, to) ? [] : [{ path, from, to }];
  });
}

function makeSide({ mode, id }: TreeFile, content: Buffer): EntrySide {
  const size = content.length;
  if (mode === "120000")
    return { type: "symlink", mode: "0777", size, id: null, link_target: content.toString("utf8"), hard_links: 1 };
  return { type: "file", mode: mode === "100755" ? "0755" : "0644", size, id, link_target: null, hard_links: 1 };
}

/**
 * Puts saved work on top of the worktree as it is now.
 *
 * Both sides of the work are saved as bytes of the worktree, so no commit and no filter is needed. Paths that are
 * still as they were before the work take its result; all others are merged with it.
 */

interface SalvageGround extends LandingBase {
  readonly stateDirectory: string;
  readonly lines: readonly JournalLine[];
}

export async function prepareSalvage(ground: SalvageGround, runId: string): Promise<PreparedLanding> {
  const found = await findWork(ground, "salvage", runId);
  if (found.kind === "missing")
    return refuseSalvage(runId, { cause: "unknown_run", message: `Nothing is saved for ${runId}.` });
  if (found.kind === "damaged")
    return refuseSalvage(runId, {
      cause: "salvage_damaged",
      message: `The salvage of ${runId} is damaged: ${found.reason}.`,
    });
  const { work } = found;
  const reason = findGap(work);
  if (reason !== null) return refuseSalvage(runId, reason);
  const summary = `${countNoun(work.files.length, "file")} of ${runId}`;
  const placed = await placeWork(ground, work);
  if (placed.kind === "conflict") return placed;
  if (placed.moves.length === 0)
    return refuseSalvage(runId, { cause: "landed_already", message: `Everything of ${runId} is here already.` });
  return {
    kind: "prepared",
    subjects: [],
    task: work.task,
    landing: { name: runId, moves: placed.moves, commits: null, summary },
  };
}

/** Why it cannot land as a whole. */
function findGap({ run_id: runId, left_out: leftOut, files }: KeptWork): SalvageReason | null {
  const missing = leftOut.filter(({ reason }) => reason !== "ignored" && reason !== "runner_owned");
  if (missing.length > 0) {
    const paths = missing.map(({ path }) => path);
    return { cause: "salvage_incomplete", message: `The salvage of ${runId} does not hold all of its work.`, paths };
  }
  return files.length === 0 ? { cause: "salvage_empty", message: `${runId} changed nothing.` } : null;
}

interface SalvageReason {
  readonly cause: string;
  readonly message: string;
  readonly paths?: readonly string[];
}

function refuseSalvage(runId: string, reason: SalvageReason): Refusal {
  return refuse({ runId, ...reason, next: "See `relais salvage`." });
}
