/**
 * Test files that `npm test` leaves out because others show the same in less time; `npm run test:full -- rest`, which
 * `.ci/run` runs on every landing, has them. Beside each stands what of its subject is left in `npm test`.
 */
const WITH_REPRESENTATIVE: Readonly<Record<string, string>> = {
  "test/cli/campaign-fix.test.ts": "campaign.test.ts and campaign-docs.test.ts, which fails once and is fixed",
  "test/cli/campaign-tmux-trouble.test.ts": "campaign-tmux.test.ts, with the panes of a campaign that goes well",
  "test/cli/demo.test.ts": "json-output.test.ts and package.test.ts, which play one act",
  "test/cli/goal-resume.test.ts": "goal.test.ts, with a goal that goes on once there is more budget",
  "test/cli/goal-side-by-side.test.ts": "goal.test.ts",
  "test/cli/goal-turns.test.ts": "goal.test.ts",
  "test/cli/journal-meddled.test.ts": "histories and test/fuzz/journal.test.ts",
  "test/cli/judge-hostile.test.ts": "judge.test.ts, judge-unreadable.test.ts and test/engines",
  "test/cli/process-end-all.test.ts": "process-end.test.ts, with three of the commands",
  "test/cli/recover-lost.test.ts": "recover.test.ts and recover-kept.test.ts",
  "test/core/many-globs.test.ts": "globs.test.ts; it compiles a thousand long globs",
  "test/core/tree/large-tree.test.ts": "tree.test.ts; it measures growth up to a hundred thousand nodes",
  "test/crash/goal.test.ts": "crash.test.ts",
  "test/crash/review.test.ts": "crash.test.ts",
  "test/crash/signals.test.ts": "test/cli/signals.test.ts",
  "test/docs/tutorials.test.ts":
    "the other files of test/docs, which look up every command and option that a page names",
  "test/io/lock-races.test.ts": "lock.test.ts, with a race of eight processes",
  "test/loop/around.test.ts": "ends.test.ts and waiting.test.ts",
  "test/loop/endurance.test.ts": "ends.test.ts; it is 25 ticks in a row",
  "test/loop/interrupted.test.ts": "waiting.test.ts",
  "test/loop/long-history.test.ts": "test/core/long-journal.test.ts; it measures growth over a thousand ticks",
  "test/package-places.test.ts": "package.test.ts, which installs the tarball in a project",
  "test/release/release.test.ts": "release-files.test.ts, and package.test.ts, which installs the tarball",
  "test/scenarios/keys.test.ts": "coverage.test.ts, which wants a scenario for every key",
  "test/tree/attempts.test.ts": "iterations.test.ts and series.test.ts",
  "test/tree/crash.test.ts": "series.test.ts, with a run that is killed in the session and in the guard",
  "test/tree/no-attempt.test.ts": "iterations.test.ts and series.test.ts",
};

export const SECOND_TIER: readonly string[] = Object.keys(WITH_REPRESENTATIVE);
