import type { Config } from "../../config/config.ts";
import type { Change } from "../../records/evidence.ts";
import type { Finding } from "../../records/judgement.ts";
import { checkSteering, escapeGlob } from "./check-steering.ts";
import { compileForbidden } from "../../base/globs.ts";
import type { RecipeTexts } from "./recipe-commands.ts";
import { listPathNote } from "../../base/quote.ts";

export interface OracleSettings extends Pick<Config["verification"], "oracle" | "oracle_globs" | "templates"> {
  /** The recipes that checks may call, as they were before the work. */
  readonly recipes: RecipeTexts;
  /** Paths that git runs or obeys in this repository, besides `OBEYED_BY_GIT`. */
  readonly runByGit: readonly string[];
}

/** Files that git or one of its filters obeys wherever they are checked out. */
const OBEYED_BY_GIT = ["**/.gitattributes", "**/.gitmodules", "**/.lfsconfig"];

interface TouchedPath {
  readonly path: string;
  readonly glob: string;
  readonly isNew: boolean;
}

interface OracleAnswer {
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/**
 * Finds changed tests and other files that steer the checks: a passing check means little if the work also changed the
 * check. Files that git runs later on the person's machine are always reported. Existing and new files are listed
 * apart, because only existing ones can be weakened.
 */
export function findTouchedOracle(changes: readonly Change[], settings: OracleSettings): OracleAnswer {
  const { oracle: policy, oracle_globs, templates, recipes } = settings;
  const later = listTouched(changes, listGitGlobs(settings));
  if (policy === "off") return { findings: [], notes: writeNotes(LATER, later) };
  const visible = changes.filter(({ standing }) => standing !== "ignored");
  const tests = listTouched(visible, oracle_globs);
  const known = new Set([...tests, ...later].map(({ path }) => path));
  const steering = listTouched(visible, checkSteering(templates, recipes)).filter(({ path }) => !known.has(path));
  if (policy !== "frozen")
    return {
      findings: [],
      notes: [
        ...writeNotes("Tests", tests),
        ...writeNotes("What steers the checks", steering),
        ...writeNotes(LATER, later),
      ],
    };
  const rule = "Tests, what steers the checks and what git runs are protected here: verification.oracle is `frozen`.";
  const findings = [...tests, ...steering, ...later].map(({ path, glob }) => ({
    gate: "oracle",
    code: "STOP_SCOPE_VIOLATION_FORBIDDEN" as const,
    subject: path,
    rule,
    glob,
  }));
  return { findings, notes: [] };
}

const LATER = "What git runs or obeys on your machine later";

function listGitGlobs({ runByGit }: OracleSettings): readonly string[] {
  return [...OBEYED_BY_GIT, ...runByGit.flatMap(escapeGlob)];
}

export function listOracleGlobs(settings: OracleSettings): readonly string[] {
  return [...listDecidingGlobs(settings), ...listGitGlobs(settings)];
}

/** The files that decide whether a check passes. */
export function listDecidingGlobs(settings: Omit<OracleSettings, "runByGit" | "oracle">): readonly string[] {
  return [...settings.oracle_globs, ...checkSteering(settings.templates, settings.recipes)];
}

function listTouched(changes: readonly Change[], globs: readonly string[]): readonly TouchedPath[] {
  const match = compileForbidden(globs);
  return changes.flatMap((change) => {
    const glob = match(change.path);
    return glob === null ? [] : [{ path: change.path, glob, isNew: change.before === null }];
  });
}

function writeNotes(subject: string, touched: readonly TouchedPath[]): readonly string[] {
  const verb = subject === "Tests" ? "were" : "was";
  const paths = (isNew: boolean) => touched.filter((one) => one.isNew === isNew).map(({ path }) => path);
  return [
    ...listPathNote(`${subject} ${verb} changed or removed`, paths(false)),
    ...listPathNote(`${subject} ${verb} added`, paths(true)),
  ];
}
