/** `relais log`: the transcripts of a tick, folded, searched, followed and as JSON. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { inLoopWorld, goodStep, STOP } from "../support/loop-world.ts";
import { tickRepository } from "../support/tick-repository.ts";

const sh = (script: string) => ({ do: "run", argv: ["sh", "-c", script] });
const print = (text: string) => ({ do: "print", text });

test("a tick's sessions and checks are shown under their headings, and searched", async () => {
  const templates = [{ id: "red", cmd: "sh", args: ["-c", "echo first; echo last; exit 3"] }];
  const repository = tickRepository({ config: { verification: { templates } } });
  expect(await repository.ask("log")).toMatchObject({ status: 10, document: { cause: "nothing_there" } });
  const work = [
    print("looking\n\u001B[2Jaround\n"),
    { do: "write", path: "src/x.ts", text: "new\n" },
    print("unended"),
  ];
  const task = { ...repository.task(work), verification: { fast: ["red"], slow: [] } };
  writeFileSync(join(repository.box, "task.json"), JSON.stringify(task));
  const { document } = await repository.ask("run", "--task", join(repository.box, "task.json"));
  const runId = String(Object(document).run_id);
  const { status, stdout } = await repository.relais("log");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^── builder · scripted · \d\d:\d\d:\d\d UTC ─+\nlooking\naround\nunended\n\n✓ done: done\n/u);
  expect(stdout).toMatch(
    /\n\n── checks · [^\n]*\n✗ run +sh -c echo first; echo last; exit 3 +exit 3\n +│ first\n +│ last\n$/u,
  );
  expect((await repository.relais("log", runId.slice(-8), "--grep", "AROUND")).stdout).toMatch(
    /^── builder .*\naround\n$/u,
  );
  expect((await repository.relais("log", "--grep", "nowhere")).stdout).toBe("");
  const lines = (await repository.relais("log", "--json")).stdout.trimEnd().split("\n");
  expect(lines.map((line): unknown => JSON.parse(line)).slice(0, 2)).toEqual([
    {
      run_id: runId,
      session: "builder",
      driver: "scripted",
      started_at: expect.any(String),
      type: "output",
      text: "looking",
    },
    expect.objectContaining({ type: "output", text: "\u001B[2Jaround" }),
  ]);
  expect(await repository.ask("log", "nobody")).toMatchObject({ status: 2, document: { error: "usage" } });
});

test("a tick without a session has no log, and a pruned one says so", async () => {
  const repository = tickRepository();
  const old = await repository.tick([print("old\n"), { do: "write", path: "src/x.ts", text: "new\n" }]);
  await repository.relais("accept");
  repository.put({ mine: "mine\n" });
  const blocked = await repository.tick([], "BLOCKED_DIRTY_WORKTREE");
  expect(await repository.ask("log", blocked)).toMatchObject({ status: 10, document: { cause: "no_session" } });
  expect((await repository.relais("log")).stdout).toContain("\nold\n");
  await repository.relais("history", "prune", "--keep", "0");
  expect(await repository.ask("log", old)).toMatchObject({ status: 10, document: { cause: "history_pruned" } });
});

test("--follow shows a running tick as it goes on, and ends with it", async () => {
  const repository = tickRepository();
  const go = join(repository.box, "go");
  const wait = sh(`while [ ! -e '${go}' ]; do sleep 0.05; done`);
  const ticking = repository.tick([print("before\n"), wait, print("after\n")]);
  const lock = (): boolean =>
    existsSync(join(repository.box, "state/relais")) && existsSync(join(repository.state(), "lock.json"));
  for (let tries = 0; tries < 400 && !lock(); tries += 1) await delay(25);
  let isOver = false;
  for (let tries = 0; tries < 400; tries += 1) {
    const { stdout } = await repository.relais("log");
    if (stdout.includes("before")) break;
    await delay(25);
  }
  const following = repository.relais("log", "--follow").finally(() => (isOver = true));
  await delay(500);
  expect(isOver).toBe(false);
  writeFileSync(go, "");
  const { status, stdout } = await following;
  expect(status).toBe(0);
  expect(stdout).toMatch(/^── builder [^\n]*\nbefore\nafter\n\n✓ done: done\n$/u);
  await ticking;
  expect((await repository.relais("log", "--follow")).stdout).toContain("before\nafter\n");
});

test("the orchestrator of a loop has a heading of its own", () =>
  inLoopWorld({ plans: [goodStep(), STOP] }, async (world) => {
    await world.relais(["loop"]);
    const history = (await world.relais(["history"])).stdout;
    const first = [...history.matchAll(/\d{8}T\d{6}Z-[0-9a-f]{8}/gu)].at(-1)?.[0] ?? "";
    const { stdout } = await world.relais(["log", first]);
    expect(stdout).toMatch(/^── orchestrator · .*\n(?:.*\n)*✓ planned: .*\n\n── builder · /u);
  }));
