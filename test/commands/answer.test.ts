/** A question that an orchestrator asks, a person answers, and the next orchestrator is told. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inWorld } from "../support/scenario.ts";
import { watch } from "../support/scenario-ending.ts";
import type { World } from "../support/scenario-world.ts";
import { differences } from "../support/walker.ts";

const QUESTION = {
  task_kind: "question",
  question: { prompt: "Which one?", choices: ["this", "that"] },
  builder: undefined,
} as const;
/** Keeps what it was asked, and answers with the task that lies in the box by then. */
const BRAIN = 'cat > "$HOME/told"\ncat "${0%/*}/task.json"\n';

async function ask(world: World, ...args: readonly string[]) {
  const { status, stdout, stderr } = await world.relais([...args, "--json"]);
  return { status, stderr, document: JSON.parse(stdout) };
}

const told = ({ box }: World): string => readFileSync(join(box, "home", "told"), "utf8");

test("the answer is recorded, shown and told, and then the question is closed", async () => {
  await inWorld({ brain: BRAIN, task: QUESTION }, async (world) => {
    expect(await ask(world, "answer", "early")).toMatchObject({
      status: 10,
      document: { cause: "no_question" },
    });
    expect(await world.run()).toMatchObject({ status: 14 });
    const run = JSON.parse(world.read("relais/REPORT.json")).run_id;
    const before = watch(world);
    expect((await world.relais(["status"])).stdout).toMatch(
      /waits for your answer[\s\S]*1\. this[\s\S]*Next:\n {2}relais answer "\.\.\."/,
    );
    expect(await ask(world, "answer", "3")).toMatchObject({
      status: 10,
      document: { cause: "no_such_choice", run_id: run },
    });
    expect(await ask(world, "answer", "Neither `of` them.")).toMatchObject({ status: 0 });
    expect(await ask(world, "answer", "2")).toEqual({
      status: 0,
      stderr: "",
      document: { run_id: run, question: "Which one?", answer: "that", choice: 2, problems: [] },
    });
    expect(differences(before, watch(world))).toEqual([]);
    expect(JSON.parse(world.read("relais/STATE.json")).open_question).toMatchObject({ answer: "that" });
    expect(await ask(world, "status")).toMatchObject({
      document: { open_question: { run_id: run, answer: "that" } },
    });
    expect((await world.relais([])).stdout).toMatch(/is answered; run the next tick[\s\S]*relais run$|relais run /m);

    const stop = { task_id: "T-2", milestone_id: "M-1", control: { action: "stop" } };
    writeFileSync(join(world.box, "task.json"), JSON.stringify(stop));
    expect(await world.run()).toMatchObject({ status: 0 });
    expect(told(world)).toContain("Question: Which one?\n1. this\n2. that\nAnswer: that");
    expect(told(world)).toContain("# stop: STOP_QUESTION");
    expect(await ask(world, "answer", "late")).toMatchObject({ status: 10 });
    expect((await world.relais(["history", "replay"])).status).toBe(0);
  });
});

test("until it is answered or dropped a question is shown, and nobody is asked again", async () => {
  await inWorld({ brain: `${BRAIN}echo x >> "$HOME/asked"\n`, task: QUESTION }, async (world) => {
    const asked = (): number =>
      readFileSync(join(world.box, "home", "asked"), "utf8")
        .trim()
        .split("\n").length;
    expect(await world.run()).toMatchObject({ status: 14 });
    const again = await world.relais(["run"]);
    expect(again.status).toBe(14);
    expect(again.stdout).toMatch(/Which one\?[\s\S]*1\. this[\s\S]*relais answer/);
    const looped = await world.relais(["loop", "--max-ticks", "3"]);
    expect(looped.status).toBe(14);
    expect(looped.stdout).toContain("Which one?");
    expect(asked()).toBe(1);
    const own = { task_id: "T-9", milestone_id: "M-1", control: { action: "stop" } };
    writeFileSync(join(world.box, "own.json"), JSON.stringify(own));
    expect(await world.relais(["run", "--task", join(world.box, "own.json")])).toMatchObject({ status: 0 });
    expect((await ask(world, "status")).document.open_question).toMatchObject({ prompt: "Which one?" });
    expect(await ask(world, "answer", "--drop", "2")).toMatchObject({ status: 2 });
    expect(await ask(world, "answer", "--drop")).toMatchObject({
      status: 0,
      document: { question: "Which one?", answer: null, choice: null },
    });
    expect((await ask(world, "status")).document.open_question).toBeNull();
    writeFileSync(join(world.box, "task.json"), JSON.stringify(own));
    expect(await world.run()).toMatchObject({ status: 0 });
    expect(asked()).toBe(2);
    expect(told(world)).not.toContain("(dropped)");
    expect((await world.relais(["history", "replay"])).status).toBe(0);
  });
});

test("an answer is one text with something in it", async () => {
  await inWorld({}, async ({ relais }) => {
    for (const args of [["answer"], ["answer", "  "], ["answer", "x".repeat(4001)], ["answer", "two", "texts"]])
      expect((await relais(args)).status).toBe(2);
  });
});

test("a dry run shows the prompt by its sections and asks nobody", async () => {
  await inWorld({ brain: BRAIN }, async (world) => {
    const before = watch(world);
    const { status, document } = await ask(world, "run", "--dry-run");
    expect({ status, document }).toMatchObject({
      status: 0,
      document: { would_start: true, orchestrator: "command", builder: "scripted" },
    });
    expect(document.prompt_bytes).toMatchObject({ system: expect.any(Number), facts: 14 });
    const { stdout } = await world.relais(["run", "--dry-run"]);
    expect(stdout).toMatch(/^Ready to start\.\n[\s\S]*^ {2}facts +14$/m);
    expect(() => told(world)).toThrow("ENOENT");
    expect(differences(before, watch(world))).toEqual([]);
    world.put({ "src/main.ts": "dirty\n" });
    expect(await ask(world, "run", "--dry-run")).toMatchObject({
      status: 11,
      document: { would_start: false, refusal: { code: "BLOCKED_DIRTY_WORKTREE" } },
    });
  });
});

test("a crash while somebody plans is recovered, and what was asked stays paid", async () => {
  const brain = "echo mine > src/main.ts\necho more > src/new.ts\nkill -KILL $PPID\nsleep 60\n";
  await inWorld({ brain, ownProcess: true }, async (world) => {
    const before = watch(world);
    const ran = await world.run();
    expect(ran.status).toBeNull();
    expect(await ask(world, "run")).toMatchObject({
      status: 11,
      document: { code: "BLOCKED_CRASH_RECOVERY_REQUIRED" },
    });
    expect((await world.relais(["recover"])).status).toBe(0);
    expect(differences(before, watch(world))).toEqual([]);
    expect(JSON.parse(world.read("relais/STATE.json"))).toMatchObject({
      budgets: { ticks: 1, orchestrator_calls: 1, builder_calls: 0 },
      last_code: "STOP_INTERRUPTED",
    });
    expect((await world.relais(["salvage", "show"])).stdout).toContain("src/new.ts");
  });
});

test.each([
  ["INT", 130],
  ["TERM", 143],
] as const)("SIG%s while somebody plans puts everything back", async (signal, status) => {
  const brain = `echo mine > src/main.ts\nkill -${signal} $PPID\nsleep 60\n`;
  await inWorld({ brain, ownProcess: true }, async (world) => {
    const before = watch(world);
    const ran = await world.run();
    expect(ran.status).toBe(status);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      code: "STOP_INTERRUPTED",
      cause: `sig${signal.toLowerCase()}`,
      settle: { action: "rollback" },
    });
    expect(differences(before, watch(world))).toEqual([]);
  });
});
