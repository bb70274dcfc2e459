import type { Config } from "../../config/config.ts";
import type { Change, Evidence } from "../../records/evidence.ts";
import type { Finding } from "../../records/judgement.ts";
import { checkSteering, escapeGlob, listScriptFolders } from "./check-steering.ts";
import { compileForbidden, compileAllowed } from "../../base/globs.ts";
import type { RecipeTexts } from "./recipe-commands.ts";
import { listPathNote } from "../../base/words.ts";
import { installsDependencies, isDependency } from "../../records/dependencies.ts";

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

/**
 * What checks must not take from the builder: the files that decide whether they pass, and what git ignores. The first
 * are reverted for a second run, so that a builder cannot pass by changing its own tests; the others for every run,
 * because checks judge what would be committed.
 */

export interface PinnedPaths {
  /** Tests, and what steers the checks. */
  readonly oracle: readonly Change[];
  /** Whatever git ignores, but for dependencies that the change installs. */
  readonly ignored: readonly Change[];
}

interface PinSettings extends Omit<OracleSettings, "runByGit" | "oracle"> {
  /** The globs where a person's task wants other tests. */
  readonly wanted: readonly string[];
}

export function listPinnedPaths({ changes, rules }: Evidence, settings: PinSettings): PinnedPaths {
  const folders = settings.templates.flatMap((template) => listScriptFolders(template, settings.recipes));
  const decides = compileForbidden([...listDecidingGlobs(settings), ...folders]);
  const isWanted = compileAllowed(settings.wanted);
  const files = changes.filter(({ before, after }) => isFile(before) || isFile(after));
  const installs = installsDependencies(changes, rules);
  return {
    oracle: files.filter(
      ({ path, standing }) =>
        standing !== "ignored" &&
        decides(path) !== null &&
        isWanted(path) === null &&
        !(installs && namesDependencies(path)),
    ),
    ignored: files.filter((change) => change.standing === "ignored" && !(installs && isDependency(change))),
  };
}

/** A package.json is pinned in parts. */
function namesDependencies(path: string): boolean {
  return /(?:^|\/)(?:Cargo\.toml|go\.(?:mod|work)|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|composer\.json|Gemfile|pom\.xml|build\.gradle(?:\.kts)?)$/u.test(
    path,
  );
}

function isFile(side: Change["before"]): boolean {
  return side?.type === "file" || side?.type === "symlink";
}
