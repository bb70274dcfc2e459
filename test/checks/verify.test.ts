import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import type { Check } from "../../src/checks/pure/verification-plan.ts";
import { openContentStore } from "../../src/store/content-store.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { planStages } from "../../src/checks/pure/stages.ts";
import { verifyChange } from "../../src/checks/verify.ts";
import { rules } from "../support/evidence.ts";
import { place } from "../support/workplace.ts";

function config(document: object): Config {
  const parsed = parseConfig(document);
  if (parsed.kind !== "valid") throw new Error("the fixture is no configuration");
  return parsed.value;
}

function check(script: string, overrides: Partial<Check> = {}): Check {
  const { phase = "fast" } = overrides;
  const stopCode = phase === "fast" ? "STOP_VERIFY_FAILED_FAST" : "STOP_VERIFY_FAILED_SLOW";
  const args = ["-c", script];
  return { templateId: "t", phase, cmd: "sh", args, timeoutSeconds: 60, stopCode, ...overrides };
}

/** A repository with a change by a builder in src/a.ts, collected and ready to be verified. */
async function bench(document: object = {}, built: readonly string[] = []) {
  const repo = place();
  const repository = await findRepository(repo.root, process.env);
  if (repository.kind !== "repository") throw new Error("the fixture is no repository");
  const runDirectory = join(repo.state, "run");
  mkdirSync(runDirectory, { mode: 0o700 });
  const workplace = await repo.open();
  const store = await openContentStore(repo.state, process.env);
  await workplace.change.prepare();
  repo.write("src/a.ts", "built\n");
  for (const name of built) repo.write(name, "exit 0\n");
  const candidate = await workplace.change.collect(rules({ ignored_writable_globs: ["dist/**"] }));
  const log = (): string => readFileSync(join(runDirectory, "verify.log"), "utf8");
  const run = (
    checks: readonly Check[],
    overrides: { signal?: AbortSignal; deadlineAt?: number; outlivesRed?: boolean } = {},
  ) => {
    const signal = overrides.signal ?? new AbortController().signal;
    const deadlineAt = overrides.deadlineAt ?? Date.now() + 120_000;
    const stages = planStages({
      evidence: candidate.evidence,
      checks,
      pinned: { oracle: [], ignored: [] },
      heldOut: { checks: [], files: [], hidden: [] },
      committed: new Map(),
      base: null,
      inherits: false,
      hasSetup: false,
      outlivesRed: overrides.outlivesRed ?? false,
      asks: { otherTests: false, changedTests: false, fewerTests: false, proof: false },
    });
    const own = { folder: runDirectory, stateDirectory: runDirectory, marker: "test-verify" };
    const checkRun = {
      repository,
      config: config(document),
      place: workplace.place,
      change: workplace.change,
      sandbox: null,
      store,
      signal,
      deadlineAt,
    };
    return verifyChange({ ...checkRun, ...own }, candidate, stages);
  };
  return { repo, runDirectory, workplace, candidate, log, run };
}

test("green checks run in order in the root of the repository, and are logged", async () => {
  const { repo, run, log } = await bench();
  const answer = await run([
    check("pwd; cat src/a.ts"),
    check('echo second "$0" >&2', {
      templateId: "s",
      phase: "slow",
      args: ["-c", 'echo second "$0" >&2', "a b"],
    }),
  ]);
  expect(answer).toEqual({
    kind: "verified",
    code: null,
    cause: null,
    runs: [
      {
        template_id: "t",
        phase: "fast",
        cmd: "sh",
        args: ["-c", "pwd; cat src/a.ts"],
        exit_code: 0,
        duration_ms: expect.any(Number),
        timed_out: false,
      },
      expect.objectContaining({ template_id: "s", phase: "slow", exit_code: 0 }),
    ],
    findings: [],
    notes: [],
    tolerated: [],
  });
  expect(log()).toMatch(
    /^=== fast "t": \["sh","-c","pwd; cat src\/a\.ts"\]\n(.*)\nbuilt\n\n=== passed after \d+ ms\n\n=== slow "s": .*\nsecond a b\n\n=== passed/,
  );
  expect(log()).toContain(`\n${repo.root}\nbuilt\n`);
});

test.each([
  ["fast", "STOP_VERIFY_FAILED_FAST"],
  ["slow", "STOP_VERIFY_FAILED_SLOW"],
] as const)("the first %s failure ends it and nothing after it runs", async (phase, code) => {
  const { repo, run } = await bench();
  const answer = await run([check("true"), check("exit 3", { phase }), check("touch later", { phase: "slow" })]);
  expect(answer).toMatchObject({ kind: "verified", code, cause: "exit_3", findings: [] });
  expect(answer.runs.map(({ exit_code }) => exit_code)).toEqual([0, 3]);
  expect(existsSync(join(repo.root, "later"))).toBe(false);
});

test.each<[string, Check, string]>([
  ["a program that is nowhere", check("", { cmd: "no-such-program-here" }), "not_found"],
  ["a file that is no program", check("", { cmd: "./README.md" }), "not_executable"],
  ["a program that a signal ended", check("kill -SEGV $$"), "signal_SIGSEGV"],
])("%s is a failed check with its cause", async (_, given, cause) => {
  const { run, log } = await bench();
  expect(await run([given])).toMatchObject({
    code: "STOP_VERIFY_FAILED_FAST",
    cause,
    runs: [{ exit_code: -1, timed_out: false }],
  });
  expect(log()).toContain(`=== ${cause} after`);
});

test("a check that takes too long is stopped by its own limit", async () => {
  const { run } = await bench();
  const answer = await run([check("sleep 300", { timeoutSeconds: 0.5, phase: "slow" })]);
  expect(answer).toMatchObject({
    kind: "verified",
    code: "STOP_VERIFY_FAILED_SLOW",
    cause: "timed_out",
    runs: [{ exit_code: -1, timed_out: true }],
  });
});

test("the end of the tick is not the check's fault, before it or in the middle of it", async () => {
  const { run } = await bench();
  const sleeping = check("sleep 300");
  expect(await run([sleeping], { deadlineAt: Date.now() + 500 })).toEqual({
    kind: "tick-timed-out",
    runs: [],
  });
  expect(await run([sleeping], { deadlineAt: Date.now() - 1 })).toEqual({ kind: "tick-timed-out", runs: [] });
});

test("a signal to relais ends the check and is told as such, with the checks before it", async () => {
  const { repo, run } = await bench();
  const stop = new AbortController();
  const running = run([check("true"), check("touch started; sleep 300")], { signal: stop.signal });
  const timer = setInterval(() => {
    if (existsSync(join(repo.root, "started"))) stop.abort();
  }, 20);
  onTestFinished(() => clearInterval(timer));
  expect(await running).toMatchObject({ kind: "aborted", runs: [{ exit_code: 0 }] });
  expect(await run([check("true")], { signal: stop.signal })).toEqual({ kind: "aborted", runs: [] });
});

test("a flood is cut in the log and stopped in the end", async () => {
  const { run, log } = await bench();
  const quiet = await run([check("head -c 5000000 /dev/zero | tr '\\0' x")]);
  expect(quiet).toMatchObject({ code: null });
  expect(log().length).toBeLessThan(2_200_000);
  expect(log()).toContain("more bytes were printed and not kept");
  expect(await run([check("yes")])).toMatchObject({ code: "STOP_VERIFY_FAILED_FAST", cause: "output_limit" });
});

test("only the variables that are named for checks are passed on", async () => {
  process.env["VERIFY_TEST_SHOWN"] = "shown";
  process.env["VERIFY_TEST_HIDDEN"] = "hidden";
  onTestFinished(() => {
    delete process.env["VERIFY_TEST_SHOWN"];
    delete process.env["VERIFY_TEST_HIDDEN"];
  });
  const { run } = await bench({ env: { checks: ["VERIFY_TEST_SHOWN"], agents: ["VERIFY_TEST_HIDDEN"] } });
  const script = 'test "$VERIFY_TEST_SHOWN" = shown && test -z "$VERIFY_TEST_HIDDEN"';
  expect(await run([check(script)])).toMatchObject({ code: null });
});

test("arguments are no shell words", async () => {
  const { repo, run } = await bench();
  const args = ["-c", 'test "$1" = "\\$(touch pwned); *"', "sh", "$(touch pwned); *"];
  expect(await run([check("", { args })])).toMatchObject({ code: null });
  expect(existsSync(join(repo.root, "pwned"))).toBe(false);
});

test("long arguments are cut where the report cuts them", async () => {
  const { run } = await bench();
  const answer = await run([check("true", { args: ["-c", "true", "x".repeat(500)] })]);
  expect(answer.runs[0]?.args[2]).toHaveLength(200);
});

test.each([
  ["a tracked file", "echo x >> src/b.ts", ["src/b.ts"]],
  ["the change itself", "echo x >> src/a.ts", ["src/a.ts"]],
  ["the change itself, undone", "printf 'one\\ntwo\\n' > src/a.ts", ["src/a.ts"]],
  ["a new file with its folder", "mkdir -p gen/deep; echo x > gen/deep/x", ["gen/deep/x"]],
  ["the mode of a file", "chmod +x src/b.ts", ["src/b.ts"]],
  ["somebody's own untracked file", "rm notes.txt", ["notes.txt"]],
  ["a name with accents and spaces", "echo x > 'ä b.txt'", ["ä b.txt"]],
  ["the index of git", "git add notes.txt", ["git: index"]],
  ["a hook", "mkdir -p .git/hooks; echo x > .git/hooks/pre-push", ["git: hooks/pre-push"]],
])("a green check that changes %s has verified something else", async (_, script, subjects) => {
  const { run } = await bench();
  const answer = await run([check(script)]);
  expect(answer).toMatchObject({ kind: "verified", code: "STOP_VERIFY_SIDE_EFFECTS", cause: null });
  expect(answer.kind === "verified" ? answer.findings.map(({ subject }) => subject) : []).toEqual(subjects);
});

test("what checks are known to write is tolerated and told", async () => {
  const { run } = await bench({ verification: { scratch_globs: ["coverage/**", "*.log"] } });
  const script = "mkdir -p coverage/lcov; echo x > coverage/lcov/x; echo x > test.log; echo x > dist/out.js";
  const answer = await run([check(script)]);
  expect(answer).toMatchObject({ kind: "verified", code: null, findings: [] });
  expect(answer.kind === "verified" ? answer.tolerated.toSorted() : []).toEqual([
    "coverage",
    "coverage/lcov",
    "coverage/lcov/x",
    "dist/out.js",
    "test.log",
  ]);
});

test("an empty folder, which git cannot keep, is tolerated", async () => {
  const { run } = await bench();
  expect(await run([check("mkdir .benchmarks")])).toMatchObject({ code: null, tolerated: [".benchmarks"] });
});

test("a check that looks at the repository with git leaves no trace that counts", async () => {
  const { run } = await bench();
  const script = "git status >/dev/null && git diff --stat && git log -1 --oneline && git hash-object -w src/a.ts";
  expect(await run([check(script)])).toMatchObject({ kind: "verified", code: null });
});

test("what a check leaves running is ended before the tree is looked at", async () => {
  const { run, log } = await bench();
  const answer = await run([check("(setsid sh -c 'trap : TERM INT HUP; sleep 300; echo x > late') & sleep 0.3")]);
  expect(answer).toMatchObject({ kind: "verified", code: null });
  expect(log()).toMatch(/=== passed after \d+ ms; stopped left-over processes: \d+ /);
});

test("the log is not written through a link", async () => {
  const { repo, runDirectory, run } = await bench();
  symlinkSync(join(repo.root, "src/b.ts"), join(runDirectory, "verify.log"));
  await expect(run([check("true")])).rejects.toThrow("ELOOP");
  expect(repo.read("src/b.ts")).toBe("b\n");
});

test("the change can be put back after the checks, whatever they left", async () => {
  const { repo, run, workplace } = await bench({ verification: { scratch_globs: ["**"] } });
  await run([check("mkdir deep; echo x > deep/x; rm src/b.ts; chmod 000 README.md")]);
  await workplace.settlement.discard();
  expect(repo.git("status", "--porcelain")).toBe("?? notes.txt\n");
});

test("where a red candidate lives on, what the checks did to it is known", async () => {
  const { run } = await bench();
  const harmless = await run([check("echo x > dist/out.js; exit 1")], { outlivesRed: true });
  expect(harmless).toMatchObject({
    code: "STOP_VERIFY_FAILED_FAST",
    cause: "exit_1",
    tolerated: ["dist/out.js"],
  });
  const harmful = await run([check("echo x > src/b.ts; exit 1")], { outlivesRed: true });
  expect(harmful).toMatchObject({ code: "STOP_VERIFY_SIDE_EFFECTS", findings: [{ subject: "src/b.ts" }] });
});

const READ = "The checks read ignored files that the builder changed: `dist/check.sh`.";

test("an ignored file of the builder that a check reads is noted, or refused; one that no check reads is neither", async () => {
  const files = ["dist/check.sh", "dist/never.sh"];
  const { run } = await bench({}, files);
  expect(await run([check("sh dist/check.sh")])).toMatchObject({ code: null, findings: [], notes: [READ] });
  expect(await run([check("ls -l dist; test -x dist/never.sh || true")])).toMatchObject({ code: null, notes: [] });
  const { run: runForbidden } = await bench({ verification: { oracle: "frozen" } }, files);
  expect(await runForbidden([check("sh dist/check.sh")])).toMatchObject({
    code: "STOP_SCOPE_VIOLATION_FORBIDDEN",
    cause: "ignored_oracle",
    findings: [{ gate: "oracle", subject: "dist/check.sh" }],
  });
  const { run: runAllowed } = await bench({ verification: { oracle: "off" } }, files);
  expect(await runAllowed([check("sh dist/check.sh")])).toMatchObject({ code: null, notes: [] });
});

test("a check may make and read its own output", async () => {
  const { run } = await bench({});
  const checks = [check("echo 'exit 0' > dist/own.sh"), check("sh dist/own.sh; cat dist/out.js")];
  expect(await run(checks)).toMatchObject({ code: null, notes: [] });
});
