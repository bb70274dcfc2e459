/**
 * Finds out what a patch would change, without touching the repository.
 *
 * Git applies the patch to a private index; the resulting tree becomes an observation of a worktree that does not
 * exist yet, and evidence is collected of it as of any other. So the gates need not know that nothing was written.
 */
import type { BuilderFailure, Evidence, Rules } from "../records/evidence.ts";
import type { Manifest, Observation } from "../base/manifest.ts";
import { MeasurementError } from "../base/errors.ts";
import { decodePath } from "../base/path-names.ts";
import { listPatchCopies, patchManifest } from "./pure/patched-manifest.ts";
import { findPatchPathProblem, type PatchProblem, findPatchTreeProblem } from "../judge/pure/patch-policy.ts";
import { applyPatch, type ApplyPatchRequest, type TreeChange } from "../store/apply-patch.ts";
import { readClockMs } from "../system/clock.ts";
import type { ContentStore } from "../store/content-store.ts";
import { isOwnable, createEntryOwner } from "../system/entry-owner.ts";
import type { Repository } from "../git/repository-layout.ts";
import { collectEvidence } from "./collect-evidence.ts";
import { makeSealTest } from "./find-forbidden-content.ts";
import { readTracked } from "./tracking.ts";

export interface PatchRequest {
  readonly patch: string;
  readonly rules: Rules;
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** The candidate is null if the patch does not apply or cannot be written. */
export interface Foreseen {
  readonly candidate: { readonly evidence: Evidence; readonly observation: Observation } | null;
  readonly failure: BuilderFailure | null;
  readonly message: string | null;
}

interface PatchGround {
  readonly repository: Repository;
  readonly store: ContentStore;
  readonly userExcludesFile: string | null;
  readonly before: Observation;
}

export async function foreseePatch(ground: PatchGround, request: PatchRequest): Promise<Foreseen> {
  const { store, before } = ground;
  const { has: isTracked } = await readTracked(ground);
  const applied = await applyPatch({
    ...request,
    store,
    patch: Buffer.from(request.patch, "utf8"),
    ...listIndexable(before.worktree, isTracked),
  });
  if (applied.kind === "refused")
    return failPatch(
      "STOP_PATCH_APPLY_FAILED",
      findNotCheckedOut(applied.reason, before.worktree, isTracked) ?? {
        cause: "git_refused",
        message: `Git does not apply the patch: ${applied.reason}`,
      },
    );
  const changes = applied.changes.map((change) => addSize(change, before.worktree));
  const problem = findPatchTreeProblem({ changes, modes: applied.modes });
  if (problem !== null) return failPatch("STOP_PATCH_INVALID", problem);
  return describeCandidate(ground, request, applied.changes);
}

/** Git may miss a file that is only left out of the worktree (sparse checkout). */
function findNotCheckedOut(
  reason: string,
  worktree: Manifest,
  isTracked: (path: string) => boolean,
): PatchProblem | null {
  const missing = [...reason.matchAll(/error: (?<path>.+?): does not exist in index/g)]
    .map(({ groups }) => Buffer.from(groups?.["path"] ?? "").toString("latin1"))
    .find((path) => !worktree.has(path) && isTracked(path));
  if (missing === undefined) return null;
  const message = `${decodePath(missing).text} is tracked but not checked out. Check it out first, with \`git sparse-checkout add\` or \`git update-index --no-skip-worktree\` and \`git checkout\`.`;
  return { cause: "not_checked_out", message };
}

function failPatch(code: BuilderFailure["code"], { cause, message }: PatchProblem): Foreseen {
  return { candidate: null, failure: { code, cause }, message };
}

/**
 * Every tracked file and link, as it lies in the worktree. Ignored files are left out: a patch that copied one of them
 * would carry a secret into the repository.
 */
function listIndexable(
  worktree: Manifest,
  isTracked: (path: string) => boolean,
): Pick<ApplyPatchRequest, "files" | "links"> {
  const files = new Map<string, { readonly mode: string; readonly id: string }>();
  const links = new Map<string, string>();
  for (const [path, { type, mode, id, target }] of worktree) {
    if (!isTracked(path)) continue;
    if (type === "symlink") links.set(path, target ?? "");
    if (type === "file" && id !== null) files.set(path, { mode: (mode & 0o100) === 0 ? "100644" : "100755", id });
  }
  return { files, links };
}

function addSize({ path, before, after }: TreeChange, worktree: Manifest) {
  const size = worktree.get(path)?.size ?? 0;
  return { path, before: before === null ? null : { ...before, size }, after };
}

async function describeCandidate(
  ground: PatchGround,
  { rules, patch }: PatchRequest,
  changes: readonly TreeChange[],
): Promise<Foreseen> {
  const { before } = ground;
  const foreign = changes.find(({ path }) => !isOwnable(before.worktree.get(path)));
  if (foreign !== undefined) return failUnwritable(foreign.path, "belongs to another user and could not be restored");
  const patched = patchManifest({
    before: before.worktree,
    changes: changes.map(({ path, after }) => ({ path, after: after && requireStored(path, after) })),
    owner: createEntryOwner(before.worktree.get("")),
    stamp: `0:${readClockMs()}000000:0`,
  });
  if (patched.kind === "occupied") return failUnwritable(patched.path, "exists already, and git does not list it");
  const observation: Observation = { ...before, worktree: patched.manifest };
  const evidence = markCopies(await collectEvidence({ ...ground, rules, after: observation }), patch);
  const problem = findPatchPathProblem(evidence);
  const failure = problem && { code: "STOP_PATCH_INVALID" as const, cause: problem.cause };
  const candidate = { observation, evidence: { ...evidence, builder_failure: failure } };
  return { candidate, failure, message: problem?.message ?? null };
}

/** Git itself copies such content, changed or not. */
function markCopies(evidence: Evidence, patch: string): Evidence {
  const isSealed = makeSealTest(evidence.rules);
  const sources = new Map(listPatchCopies(patch).flatMap(({ from, to }) => (isSealed(from) ? [[to, from]] : [])));
  const changes = evidence.changes.map((change) => {
    const of = sources.get(change.path);
    return of === undefined ? change : { forbidden_content: { of, whole: true }, ...change };
  });
  return { ...evidence, changes };
}

function failUnwritable(path: string, reason: string): Foreseen {
  const message = `The patch cannot be written: ${decodePath(path).text} ${reason}.`;
  return failPatch("STOP_PATCH_APPLY_FAILED", { cause: "cannot_be_written", message });
}

function requireStored(path: string, { mode, id, size }: NonNullable<TreeChange["after"]>) {
  if (size === null) throw new MeasurementError(decodePath(path).text, "its patched content is not in the store");
  return { isExecutable: mode === "100755", id, size };
}
