/** Commands that only make files take the lock too: nothing is written into a repository where a tick is at work. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { differences, walk } from "../support/walker.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { holdLock, rewindJournal, type TickRepository, tickRepository } from "../support/tick-repository.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };

const COMMANDS = {
  "tree init": { command: ["tree", "init"], file: "relais/tree.json" },
  "campaign init": { command: ["campaign", "init", "one"], file: "relais/campaigns/one/prd.md" },
  init: { command: ["init"], file: "relais/FACTS.md" },
} as const;

let busy: Promise<TickRepository> | undefined;

/** A repository where a tick is at work. Nobody may change it, so one is enough for all commands. */
function busyRepository(): Promise<TickRepository> {
  busy ??= (async () => {
    const repository = tickRepository();
    await repository.tick([WRITE]);
    await repository.relais("accept");
    await repository.relais("campaign", "init", "one");
    holdLock(repository);
    return repository;
  })();
  return busy;
}

test.for(Object.entries(COMMANDS))("%s writes nothing while a tick is at work", async ([, { command, file }]) => {
  const repository = tickRepository();
  await repository.tick([WRITE]);
  holdLock(repository);
  const { status, stderr } = await repository.relais(...command);
  expect(status).toBe(11);
  expect(stderr).toContain("Process 4711 on another-machine has been running here since ");
  expect(existsSync(join(repository.root, file))).toBe(false);
});

test.for([
  ["init"],
  ["init", "--commit"],
  ["tree", "init"],
  ["tree", "run"],
  ["tree", "step"],
  ["campaign", "init", "two"],
  ["campaign", "run", "one"],
  ["campaign", "run", "one", "--debug"],
  ["campaign", "clean", "one"],
  ["campaign", "brainstorm", "An idea"],
  ["goal", "Make it new."],
  ["goal", "handoff"],
  ["loop"],
  ["run"],
  ["accept"],
  ["undo"],
  ["answer", "yes"],
  ["answer", "--drop"],
  ["recover"],
  ["history", "prune", "--keep", "0"],
  ["salvage", "apply", "20260131T235959Z-0123abcd"],
  ["land", "HEAD"],
])("nothing in the repository changes while a tick is at work: %s", async (command) => {
  const repository = await busyRepository();
  const before = walk({ folder: repository.root, worktrees: [] });
  const { status } = await repository.relais(...command);
  expect(status).not.toBe(0);
  expect(differences(before, walk({ folder: repository.root, worktrees: [] }), { withTimes: true })).toEqual([]);
});

test("a campaign that could run writes nothing while a tick is at work", { timeout: 60_000 }, () =>
  inCampaignWorld({}, async ({ world, campaign, sessions }) => {
    await world.relais(["doctor"]);
    holdLock(world);
    const before = walk({ folder: world.root, worktrees: [] });
    expect((await campaign("run", "lines")).status).toBe(11);
    expect(differences(before, walk({ folder: world.root, worktrees: [] }), { withTimes: true })).toEqual([]);
    expect(sessions()).toEqual([]);
  }),
);

test.for(Object.entries(COMMANDS))(
  "%s writes nothing before a tick that was cut short is recovered",
  async ([, { command, file }]) => {
    const repository = tickRepository();
    const runId = await repository.tick([WRITE]);
    const lines = readFileSync(join(repository.state(), "journal.jsonl"), "utf8").split("\n");
    rewindJournal(repository, `${lines.slice(0, 6).join("\n")}\n`);
    const { status, stderr } = await repository.relais(...command);
    expect(status).toBe(11);
    expect(stderr).toContain(`The tick ${runId} was interrupted.`);
    expect(existsSync(join(repository.root, file))).toBe(false);
  },
);

test("the lock of a command that makes files is gone afterwards", async () => {
  const repository = tickRepository();
  await repository.tick([WRITE]);
  expect((await repository.relais("tree", "init")).status).toBe(0);
  expect(existsSync(join(repository.root, "relais/tree.json"))).toBe(true);
  for (const path of [join(repository.state(), "lock.json"), join(repository.root, "relais/lock.json")])
    expect(existsSync(path)).toBe(false);
  writeFileSync(join(repository.state(), "lock.json"), "?");
  expect(await repository.ask("tree", "init")).toMatchObject({
    status: 11,
    document: { cause: "lock_corrupt" },
  });
});
