import type { Config } from "../contract/config.ts";
import type { Change } from "../contract/evidence.ts";
import type { Finding } from "../contract/judgement.ts";
import { checkSteering } from "./check-steering.ts";
import { compileForbidden } from "./globs.ts";
import { shortenList } from "./judge/quote.ts";

type OracleSettings = Pick<Config["verification"], "oracle" | "oracle_globs" | "templates">;

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
 * changed what checks it.
 *
 * What was there before and what is new are told apart, because the former can be bent to fit.
 */
export function oracleTouched(
  changes: readonly Change[],
  { oracle, oracle_globs, templates }: OracleSettings,
): OracleAnswer {
  if (oracle === "allow") return { findings: [], notes: [] };
  const tests = touchedBy(changes, oracle_globs);
  const known = new Set(tests.map(({ path }) => path));
  const steering = touchedBy(changes, checkSteering(templates)).filter(({ path }) => !known.has(path));
  if (oracle === "report")
    return {
      findings: [],
      notes: [...notesAbout("Tests", tests), ...notesAbout("What steers the checks", steering)],
    };
  const rule = "Tests and what steers the checks are protected here: verification.oracle is `forbid`.";
  const findings = [...tests, ...steering].map(({ path, glob }) => ({
    gate: "oracle",
    code: "STOP_SCOPE_VIOLATION_FORBIDDEN" as const,
    subject: path,
    rule,
    glob,
  }));
  return { findings, notes: [] };
}

/** The globs of everything that may not be bent to fit the work. */
export function oracleGlobs({ oracle_globs, templates }: OracleSettings): readonly string[] {
  return [...oracle_globs, ...checkSteering(templates)];
}

function touchedBy(changes: readonly Change[], globs: readonly string[]): readonly Touched[] {
  const match = compileForbidden(globs);
  return changes.flatMap((change) => {
    const glob = change.standing === "ignored" ? null : match(change.path);
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
