/**
 * What a patch may not be or create, whatever its scope. Its text is only checked for what cannot be a patch at all;
 * everything else is decided by the tree that git makes of it. Links and submodules are refused although a builder may
 * create some: a patch was not written for this repository.
 */
import type { Evidence } from "../../records/evidence.ts";
import { judge } from "./judge.ts";
import { decodePath } from "../../base/path-names.ts";

export interface PatchProblem {
  readonly cause: string;
  readonly message: string;
}

interface TreeSide {
  readonly mode: string;
  readonly size?: number | null;
}

interface PatchedPath {
  readonly path: string;
  readonly before: TreeSide | null;
  readonly after: TreeSide | null;
}

interface PatchedTree {
  readonly changes: readonly PatchedPath[];
  readonly modes: readonly string[];
}

const FILE_MODES: readonly string[] = ["100644", "100755"];
const KNOWN_MODES: readonly string[] = [...FILE_MODES, "120000", "160000"];
/** A file of this size is not compared, and no patch of a task should create one. */
const FILE_BYTES_MAX = 4 * 1024 * 1024 - 1;
/** Of both sides together. More is not compared line by line. */
const TREE_BYTES_MAX = 64 * 1024 * 1024;

export function findPatchTextProblem(patch: string): PatchProblem | null {
  if (patch.includes("\0")) return makeProblem("patch_has_nul", "The patch contains a NUL character.");
  // Half of a surrogate pair would become another character on its way to git.
  if (/\p{Cs}/u.test(patch)) return makeProblem("patch_not_text", "The patch is not valid Unicode text.");
  return null;
}

export function findPatchTreeProblem({ changes, modes }: PatchedTree): PatchProblem | null {
  return findLinkProblem(changes) ?? findModeProblem(modes) ?? findSizeProblem(changes);
}

function findLinkProblem(changes: readonly PatchedPath[]): PatchProblem | null {
  for (const { path, before, after } of changes) {
    const sides = [before?.mode, after?.mode];
    if (sides.includes("120000")) return makeProblem("symlink", `The patch changes a link: ${showPath(path)}.`);
    if (sides.includes("160000")) return makeProblem("submodule", `The patch changes a submodule: ${showPath(path)}.`);
  }
  return null;
}

/** Git would use the nearest known mode, which is harmless; but nobody asks for another mode in good faith. */
function findModeProblem(modes: readonly string[]): PatchProblem | null {
  const odd = modes.find((mode) => !KNOWN_MODES.includes(mode));
  return odd === undefined
    ? null
    : makeProblem("mode", `The patch asks for the mode ${odd}; a file has ${FILE_MODES.join(" or ")}.`);
}

function findSizeProblem(changes: readonly PatchedPath[]): PatchProblem | null {
  const large = changes.find(({ after }) => (after?.size ?? 0) > FILE_BYTES_MAX);
  if (large !== undefined)
    return makeProblem("too_large", `The patch makes ${showPath(large.path)} larger than ${FILE_BYTES_MAX} bytes.`);
  const bytes = changes.reduce((sum, { before, after }) => sum + (before?.size ?? 0) + (after?.size ?? 0), 0);
  return bytes <= TREE_BYTES_MAX
    ? null
    : makeProblem(
        "too_large",
        `The files of the patch have ${bytes} bytes before and after; ${TREE_BYTES_MAX} are allowed.`,
      );
}

/** Uses the findings that a builder's change would get. */
export function findPatchPathProblem(evidence: Evidence): PatchProblem | null {
  const ignored = evidence.changes.find(({ standing }) => standing === "ignored");
  if (ignored !== undefined) {
    // Tools leave ignored files in passing, so the rules are lenient about them. A patch does not.
    return makeProblem("ignored_path", `The patch changes ${ignored.path}, which git ignores.`);
  }
  const unsafe = judge(evidence).findings.find(({ code }) => code === "STOP_UNSAFE_PATH");
  return unsafe === undefined ? null : makeProblem("unsafe_path", `${unsafe.subject}: ${unsafe.rule}`);
}

function showPath(path: string): string {
  return decodePath(path).text;
}

function makeProblem(cause: string, message: string): PatchProblem {
  return { cause, message };
}
