/** A builder that gives its task back: a person reads why, answers, and the next builder is told. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { attemptWorld } from "../support/attempt-world.ts";
import { goodStep, inLoopWorld, STOP, stepOf } from "../support/loop-world.ts";
import { FIX, sentenceWorld } from "../support/sentence-world.ts";

const DONE = { summary: "Done.", files_intended: [], commands_ran: [], notes: [], outcome: "done", evidence: "" };
const WRONG = {
  ...DONE,
  summary: "The test wants the typo: which spelling is right?",
  outcome: "test_is_wrong",
  evidence: "test/greet.test.js:1: // a test",
};
const LONG = "x".repeat(1900);
const SENTENCE = "fix the typo in the greeting";

test("a sentence that is given back ends as a question, and its answer reaches the next builder", async () => {
  const does = `cat > "$0.$n.prompt"; ${FIX}`;
  const answers = [{ ...WRONG, evidence: `${WRONG.evidence} ${LONG}` }, DONE];
  const world = sentenceWorld({ agents: { codex: "in" }, does, answers });
  const { status, stdout } = await world.relais("run", SENTENCE, "--agent", "codex");
  expect(status).toBe(14);
  expect(stdout).toMatch(/^\? Question: The builder says that a test is wrong\n/);
  expect(stdout).toContain(WRONG.summary);
  expect(stdout).toContain(WRONG.evidence);
  expect(stdout.replaceAll(/[^x]/g, "").length).toBeGreaterThanOrEqual(LONG.length);
  expect(stdout).toMatch(/reverted, kept in salvage[\s\S]*Next: relais answer "\.\.\."/);
  expect(world.read("src/greet.js")).toContain("wrold");
  expect(world.git("status", "--porcelain")).toBe("");
  expect((await world.relais("salvage", "show")).stdout).toContain("src/greet.js");
  expect((await world.relais()).stdout).toMatch(/waits for your answer[\s\S]*which spelling[\s\S]*relais answer/);

  expect((await world.relais("answer", "Both of them: world.")).stdout).toContain(`relais run "${SENTENCE}"`);
  expect((await world.relais()).stdout).toMatch(new RegExp(`Next:\\n {2}relais run "${SENTENCE}"`));
  expect(await world.ask("run", SENTENCE, "--agent", "codex")).toMatchObject({ status: 0 });
  const prompt = (n: number): string => readFileSync(join(world.box, `bin/codex.${n}.prompt`), "utf8");
  expect(prompt(0)).toContain('"test_is_wrong"');
  expect(prompt(1)).toMatch(/gave such a task back[\s\S]*Question: The test wants[\s\S]*Answer: Both of them: world\./);
  expect(await world.ask("status")).toMatchObject({ document: { open_question: null } });
  expect((await world.relais("history")).stdout).toContain("\ncodex: 1 of 2 sessions gave up\n");
  expect(await world.ask("history")).toMatchObject({
    document: { agents: [{ agent: "codex", sessions: 2, gave_up: 1 }] },
  });
  expect(await world.ask("history", "replay")).toMatchObject({ status: 0 });
});

const giveBack = (words: string): string =>
  `printf '%s' '${JSON.stringify({ ...WRONG, summary: words })}' > "$RELAIS_RESULT_PATH"`;

test("of several attempts a good one is kept, and where none is, the one that gave up asks", async () => {
  const script = `cat > /dev/null; case $n in 1) echo bad > src/x.ts;; *) ${giveBack("Which one?")};; esac`;
  const world = attemptWorld(`test -f ../../good && echo good > src/x.ts && exit; ${script}`);
  const { status, document } = await world.ask("run", "make it new", "--attempts", "2");
  expect({ status, document }).toMatchObject({
    status: 14,
    document: {
      code: "STOP_QUESTION",
      cause: "no_attempt_passed",
      question: {
        prompt: expect.stringMatching(
          /^Which one\?\n\nEvidence: test\/greet[\s\S]*None of 2 attempts passed: 1 STOP_V/,
        ),
      },
      attempts: { chosen: null, list: [{ code: "STOP_VERIFY_FAILED_SLOW" }, { code: "STOP_QUESTION" }] },
    },
  });
  expect(await world.ask("history")).toMatchObject({
    document: { agents: [{ agent: "command", sessions: 2, gave_up: 1 }] },
  });
});

test("a loop waits for the answer, and its next plan is told what the builder said", async () => {
  const plans = [
    stepOf([
      { do: "result", content: WRONG },
      { do: "exit", status: 0 },
    ]),
    goodStep(),
    STOP,
  ];
  await inLoopWorld({ plans }, async (world) => {
    const { summary, stdout } = await world.loop();
    expect(summary).toMatchObject({ end: "needs_human", exit_status: 14, question: { prompt: expect.any(String) } });
    expect(stdout).toContain("relais answer");
    expect((await world.relais(["answer", "hello world"])).stdout).not.toContain('relais run "');
    expect((await world.loop()).summary).toMatchObject({ end: "complete" });
    expect(world.prompt(2)).toMatch(/Question: The test wants the typo[\s\S]*Answer: hello world/);
  });
});
