import type { Config } from "../../contract/config/config.ts";
import type { Change } from "../../contract/evidence/evidence.ts";
import type { Finding } from "../../contract/evidence/judgement.ts";
import { checkSteering, escapeGlob } from "./check-steering.ts";
import { compileForbidden } from "../paths/globs.ts";
import { shortenList } from "../words/quote.ts";

interface OracleSettings extends Pick<Config["verification"], "oracle" | "oracle_globs" | "templates"> {
  /** The paths of what git runs or obeys in this repository, besides those of `OBEYED_BY_GIT`. */
  readonly runByGit: readonly string[];
}

/** What git, or a filter that comes with it, obeys wherever it is checked out. */
const OBEYED_BY_GIT = ["**/.gitattributes", "**/.gitmodules", "**/.lfsconfig"];

interface Touched {
  readonly path: string;
  readonly glob: string;
  readonly isNew: boolean;
}

interface OracleAnswer {
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/**
 * The tests among the changes, and whatever else steers the checks: a green check means little where the work also
 * changed what checks it. What git runs later on the person's machine is told whatever may be changed.
 *
 * What was there before and what is new are told apart, because the former can be bent to fit.
 */
export function findTouchedOracle(changes: readonly Change[], settings: OracleSettings): OracleAnswer {
  const { oracle, oracle_globs, templates } = settings;
  const later = touchedBy(changes, gitGlobs(settings));
  if (oracle === "allow") return { findings: [], notes: notesAbout(LATER, later) };
  const visible = changes.filter(({ standing }) => standing !== "ignored");
  const tests = touchedBy(visible, oracle_globs);
  const known = new Set([...tests, ...later].map(({ path }) => path));
  const steering = touchedBy(visible, checkSteering(templates)).filter(({ path }) => !known.has(path));
  if (oracle === "report")
    return {
      findings: [],
      notes: [
        ...notesAbout("Tests", tests),
        ...notesAbout("What steers the checks", steering),
        ...notesAbout(LATER, later),
      ],
    };
  const rule = "Tests, what steers the checks and what git runs are protected here: verification.oracle is `forbid`.";
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

function gitGlobs({ runByGit }: OracleSettings): readonly string[] {
  return [...OBEYED_BY_GIT, ...runByGit.flatMap(escapeGlob)];
}

/** The globs of everything that may not be bent to fit the work. */
export function listOracleGlobs(settings: OracleSettings): readonly string[] {
  return [...settings.oracle_globs, ...checkSteering(settings.templates), ...gitGlobs(settings)];
}

function touchedBy(changes: readonly Change[], globs: readonly string[]): readonly Touched[] {
  const match = compileForbidden(globs);
  return changes.flatMap((change) => {
    const glob = match(change.path);
    return glob === null ? [] : [{ path: change.path, glob, isNew: change.before === null }];
  });
}

function notesAbout(subject: string, touched: readonly Touched[]): readonly string[] {
  const verb = subject === "Tests" ? "were" : "was";
  const paths = (isNew: boolean) => touched.filter((one) => one.isNew === isNew).map(({ path }) => path);
  return [
    ...note(`${subject} ${verb} changed or removed`, paths(false)),
    ...note(`${subject} ${verb} added`, paths(true)),
  ];
}

function note(saying: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`${saying}: ${shortenList(paths)}.`];
}
