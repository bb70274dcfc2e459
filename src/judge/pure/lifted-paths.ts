/**
 * What a person lifts by name. A sentence that a person typed, or a task file that a person gave, may name a CI file or a
 * file of instructions; then exactly this path may change. Nothing lifts a secret, or what a glob forbids that a person
 * wrote. A file that starts programs is held: a person decides once it is there to be read.
 */
import type { Rules } from "../../records/evidence.ts";
import { validateGlob } from "../../base/glob-validity.ts";
import { compileForbidden, type PathMatcher } from "../../base/globs.ts";
import { PROTECTED, PROTECTED_GLOBS, type ProtectedClass } from "../../config/protected-paths.ts";

const CLASSES = PROTECTED.map(([name, globs]) => ({ name, matches: compileForbidden(globs) }));

function classifyProtected(path: string): ProtectedClass | null {
  return CLASSES.find(({ matches }) => matches(path) !== null)?.name ?? null;
}

const LIFTED_BY_NAME: ReadonlySet<ProtectedClass | null> = new Set(["ci", "instructions"]);

/** What the rules forbid, without what is lifted. */
export function compileProtection({ forbidden_globs: globs, lifted_paths: lifted = [] }: Rules): PathMatcher {
  const forbidden = compileForbidden(globs);
  return (path) => (lifted.includes(path) ? null : forbidden(path));
}

type Protection = Pick<Rules, "forbidden_globs" | "protected_globs" | "held_globs" | "lifted_paths">;

const PROGRAM_GLOBS = PROTECTED.flatMap(([name, globs]) => (name === "programs" ? globs : []));

/**
 * What is forbidden, which of it nobody wrote, and what of that is lifted. Who writes a list of their own takes each of
 * its globs, unless the list only adds to ours.
 */
export function combineProtection /** Of the configuration. */(
  configured: readonly string[] /** Of the task. */,
  asked: readonly string[] /** What a person typed, or gave as a file. */,
  typed: string,
): Protection {
  const forbidden = [...new Set([...configured, ...asked])];
  if (!PROTECTED_GLOBS.every((glob) => configured.includes(glob))) return { forbidden_globs: forbidden };
  const unwritten = PROTECTED_GLOBS.filter((glob) => !asked.includes(glob));
  const lifted = findLiftedPaths(typed, makeLiftTest({ forbidden_globs: forbidden, protected_globs: unwritten }));
  return {
    forbidden_globs: forbidden,
    protected_globs: unwritten,
    held_globs: PROGRAM_GLOBS.filter((glob) => unwritten.includes(glob)),
    ...(lifted.length === 0 ? {} : { lifted_paths: lifted }),
  };
}

/** Whether a path is only held for a person. */
export function makeHeldTest({ forbidden_globs: globs, held_globs: held = [] }: Protection): (path: string) => boolean {
  const refuses = compileForbidden(globs.filter((glob) => !held.includes(glob)));
  const holds = compileForbidden(held);
  return (path) => holds(path) !== null && refuses(path) === null;
}

/** The class of a path that only relais forbids, and no person. */
export function makeClassTest({ forbidden_globs: globs, protected_globs: ours = [] }: Protection) {
  const written = compileForbidden(globs.filter((glob) => !ours.includes(glob)));
  const protecting = compileForbidden(ours);
  return (path: string): ProtectedClass | null =>
    written(path) === null && protecting(path) !== null ? classifyProtected(path) : null;
}

function makeLiftTest(protection: Protection): (path: string) => boolean {
  const findClass = makeClassTest(protection);
  return (path) => LIFTED_BY_NAME.has(findClass(path)) && validateGlob(path) === null;
}

function findLiftedPaths(typed: string, isLifted: (path: string) => boolean): string[] {
  const named = typed.split(SENTENCE_END).flatMap(listNamed);
  const kept = new Set(named.filter(({ isMeant }) => !isMeant).map(({ path }) => path));
  return [...new Set(named.map(({ path }) => path))].filter((path) => !kept.has(path) && isLifted(path));
}

/** Not after an abbreviation: what is forbidden may follow one. A list after its heading belongs to the same sentence. */
const SENTENCE_END = /(?<!\b(?:e\.g|i\.e|etc|cf|incl|esp))[.!?]["'`)]*\s+|(?<!:[ \t]*)\n[ \t]*\n/iu;
const NAME = /[^\s"'`‘’“”<>()[\]{},;|*?!\\]+/gu;
const DENIED_BEFORE = /\b(?:not|never|without|except\w*|exclud\w*|dont|cannot|no|nor|neither|avoid|leave)\b|n['’]t\b/iu;
const DENIED_AFTER = /\b(?:untouched|unchanged|intact|alone|as (?:it |they )?(?:is|are))\b/iu;

interface NamedPath {
  readonly path: string;
  readonly isMeant: boolean;
}

function listNamed(sentence: string): readonly NamedPath[] {
  return [...sentence.matchAll(NAME)].map(({ index, [0]: word }) => ({
    path: word.replace(/^(?:@|(?:\.\/)+)/u, "").replace(/[.:!]+$|(?::\d+)+$/u, ""),
    isMeant: !DENIED_BEFORE.test(sentence.slice(0, index)) && !DENIED_AFTER.test(sentence.slice(index + word.length)),
  }));
}
