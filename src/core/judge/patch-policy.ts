/**
 * What a patch may not be or make, whatever its scope.
 *
 * The text is looked at only for what cannot be a patch at all. Everything else is asked of the tree that git made of
 * it, and of the findings about that tree. Links and submodules are refused here although a builder may make some: a
 * patch comes from elsewhere, and nobody was there who meant this repository.
 */
import type { Evidence } from "../../contract/evidence/evidence.ts";
import { judge } from "./judge.ts";
import { decodePath } from "../paths/path-text.ts";

/** Why a patch is refused. The message is a sentence for a person. */
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
  /** The modes that the patch names. */
  readonly modes: readonly string[];
}

const FILE_MODES: readonly string[] = ["100644", "100755"];
const KNOWN_MODES: readonly string[] = [...FILE_MODES, "120000", "160000"];
/** A file of this size is not compared any more, and no patch that a task can carry should make one. */
const FILE_BYTES_MAX = 4 * 1024 * 1024 - 1;
/** Of both sides together. More is not compared line by line. */
const TREE_BYTES_MAX = 64 * 1024 * 1024;

/** Refuses a text that no tool writes as a patch. */
export function findPatchTextProblem(patch: string): PatchProblem | null {
  if (patch.includes("\0")) return problem("patch_has_nul", "The patch contains a NUL character.");
  // Half of a surrogate pair would become another character on its way to git.
  if (/\p{Cs}/u.test(patch)) return problem("patch_not_text", "The patch is not valid Unicode text.");
  return null;
}

/** Refuses a tree for the kinds and sizes of its entries. */
export function findPatchTreeProblem({ changes, modes }: PatchedTree): PatchProblem | null {
  return linkProblem(changes) ?? modeProblem(modes) ?? sizeProblem(changes);
}

function linkProblem(changes: readonly PatchedPath[]): PatchProblem | null {
  for (const { path, before, after } of changes) {
    const sides = [before?.mode, after?.mode];
    if (sides.includes("120000")) return problem("symlink", `The patch changes a link: ${shown(path)}.`);
    if (sides.includes("160000")) return problem("submodule", `The patch changes a submodule: ${shown(path)}.`);
  }
  return null;
}

/** Git writes other modes as the nearest one that it knows, so nothing is harmed; but whoever asks for one means harm. */
function modeProblem(modes: readonly string[]): PatchProblem | null {
  const odd = modes.find((mode) => !KNOWN_MODES.includes(mode));
  return odd === undefined
    ? null
    : problem("mode", `The patch asks for the mode ${odd}; a file has ${FILE_MODES.join(" or ")}.`);
}

function sizeProblem(changes: readonly PatchedPath[]): PatchProblem | null {
  const large = changes.find(({ after }) => (after?.size ?? 0) > FILE_BYTES_MAX);
  if (large !== undefined)
    return problem("too_large", `The patch makes ${shown(large.path)} larger than ${FILE_BYTES_MAX} bytes.`);
  const bytes = changes.reduce((sum, { before, after }) => sum + (before?.size ?? 0) + (after?.size ?? 0), 0);
  return bytes <= TREE_BYTES_MAX
    ? null
    : problem(
        "too_large",
        `The files of the patch have ${bytes} bytes before and after; ${TREE_BYTES_MAX} are allowed.`,
      );
}

/** Refuses a patch for the paths that it changes, by the findings that a builder's change would get. */
export function findPatchPathProblem(evidence: Evidence): PatchProblem | null {
  const ignored = evidence.changes.find(({ standing }) => standing === "ignored");
  if (ignored !== undefined) {
    // The rules are lenient about ignored files because tools leave some in passing. A patch leaves nothing in passing.
    return problem("ignored_path", `The patch changes ${ignored.path}, which git ignores.`);
  }
  const unsafe = judge(evidence).findings.find(({ code }) => code === "STOP_UNSAFE_PATH");
  return unsafe === undefined ? null : problem("unsafe_path", `${unsafe.subject}: ${unsafe.rule}`);
}

function shown(path: string): string {
  return decodePath(path).text;
}

function problem(cause: string, message: string): PatchProblem {
  return { cause, message };
}
