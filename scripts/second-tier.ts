/**
 * Test files that `npm test` leaves out because others show the same in less time; `npm run test:full -- rest`, which
 * `.ci/run` runs on every landing, has them. Beside each stands what of its subject is left in `npm test`.
 */
const WITH_REPRESENTATIVE: Readonly<Record<string, string>> = {
  "test/cli/campaign-fix.test.ts":
    "campaign.test.ts and campaign-docs.test.ts, which fails once and is fixed",
  "test/cli/demo.test.ts": "json-output.test.ts plays the whole demonstration, package.test.ts one act of it",
  "test/cli/goal-resume.test.ts": "goal.test.ts and goal-side-by-side.test.ts, which is killed and goes on",
  "test/cli/journal-meddled.test.ts": "histories and test/fuzz/journal.test.ts",
  "test/cli/recover-lost.test.ts": "recover.test.ts and recover-kept.test.ts",
  "test/crash/goal.test.ts": "crash.test.ts",
  "test/crash/signals.test.ts": "test/cli/signals.test.ts",
  "test/loop/interrupted.test.ts": "waiting.test.ts",
  "test/scenarios/keys.test.ts": "coverage.test.ts, which wants a scenario for every key",
  "test/tree/attempts.test.ts": "iterations.test.ts and no-attempt.test.ts",
};

export const SECOND_TIER: readonly string[] = Object.keys(WITH_REPRESENTATIVE);
