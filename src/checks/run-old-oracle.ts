/** Runs the checks on the new code with the tests and settings from before the build. */
import { join } from "node:path";
import type { Change } from "../records/evidence.ts";
import type { Finding } from "../records/judgement.ts";
import { isPinnedInParts, pinManifest } from "./pure/old-manifest.ts";
import { shortenList } from "../base/words.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readIfPlain } from "./read-recipes.ts";
import { type ChecksEnd, runAllChecks } from "./run-all-checks.ts";
import type { VerifyRequest } from "./verify-request.ts";

type OldOracleEnd =
  (Extract<ChecksEnd, { kind: "ran" }> & { readonly finding: Finding | null }) | Exclude<ChecksEnd, { kind: "ran" }>;

export async function runWithOldOracle(request: VerifyRequest): Promise<OldOracleEnd> {
  const { context, pinned, base, inherits } = request;
  const { place, change } = context;
  const checks = request.checks.filter(({ once }) => once !== true);
  const manifests = readManifests(place.tree, pinned.oracle);
  const end = await change.trial({ rewound: [...pinned.oracle, ...pinned.ignored] }, async () => {
    await writeManifests(place.tree, manifests);
    return runAllChecks({ context, checks, base, inherits });
  });
  const runs = end.runs.map((run) => ({ ...run, oracle: "base" as const }));
  return end.kind === "ran" ? { ...end, runs, finding: makeFinding(end, pinned.oracle) } : { ...end, runs };
}

/** The new texts of changed manifests, by path. */
function readManifests(tree: string, changes: readonly Change[]): ReadonlyMap<string, string> {
  const paths = changes.map(({ path }) => path).filter(isPinnedInParts);
  return new Map(
    paths.flatMap((path) => {
      const text = readIfPlain(join(tree, path));
      return text === null ? [] : [[path, text] as const];
    }),
  );
}

/** The old ones are in the tree now. */
async function writeManifests(tree: string, manifests: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of manifests) {
    const file = join(tree, path);
    const pinned = pinManifest(path, readIfPlain(file), text);
    if (pinned !== null) await writeAtomic(file, pinned);
  }
}

function makeFinding({ failed }: Extract<ChecksEnd, { kind: "ran" }>, changes: readonly Change[]): Finding | null {
  if (failed === null) return null;
  const { templateId, stopCode } = failed.check;
  const changed = shortenList(changes.map(({ path }) => path));
  const rule = `It passes with the new tests and fails with the old ones; changed: ${changed}. Fix the code, or name the tests in \`oracle_changes\` of the task.`;
  return { gate: "old-oracle", code: stopCode, subject: templateId, rule, glob: null };
}
