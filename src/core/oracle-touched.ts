import type { Config } from "../contract/config.ts";
import type { Change } from "../contract/evidence.ts";
import type { Finding } from "../contract/judgement.ts";
import { compileForbidden } from "./globs.ts";
import { shortenList } from "./judge/quote.ts";

interface OracleAnswer {
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/**
 * The tests among the changes: a green check means little where the work also changed what checks it.
 *
 * Tests that were there before and tests that are new are told apart, because the former can be bent to fit.
 */
export function oracleTouched(
  changes: readonly Change[],
  { oracle, oracle_globs }: Pick<Config["verification"], "oracle" | "oracle_globs">,
): OracleAnswer {
  if (oracle === "allow") return { findings: [], notes: [] };
  const match = compileForbidden(oracle_globs);
  const touched = changes.flatMap((change) => {
    const glob = change.standing === "ignored" ? null : match(change.path);
    return glob === null ? [] : [{ path: change.path, glob, isNew: change.before === null }];
  });
  if (oracle === "report") {
    const edited = touched.filter(({ isNew }) => !isNew).map(({ path }) => path);
    const added = touched.filter(({ isNew }) => isNew).map(({ path }) => path);
    return { findings: [], notes: [...note("changed or removed", edited), ...note("added", added)] };
  }
  const rule = "Tests are protected here: verification.oracle is `forbid`.";
  const findings = touched.map(({ path, glob }) => ({
    gate: "oracle",
    code: "STOP_SCOPE_VIOLATION_FORBIDDEN" as const,
    subject: path,
    rule,
    glob,
  }));
  return { findings, notes: [] };
}

function note(verb: string, paths: readonly string[]): readonly string[] {
  return paths.length === 0 ? [] : [`Tests were ${verb}: ${shortenList(paths)}.`];
}
