/** After many ticks a command reads the end of the journal and what the others came to, as long as nothing changed. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lengthenHistory } from "../../lab/bench/long-history.ts";
import { makeDefaultConfig } from "../../src/config/config.ts";
import { foldWorkspaceState } from "../../src/journal/pure/workspace-state.ts";
import { readJournal } from "../../src/journal/read-journal.ts";
import { inWorld } from "../support/scenario.ts";
import { taskOf } from "../support/scenario-documents.ts";
import { watch } from "../support/scenario-ending.ts";
import type { World } from "../support/scenario-world.ts";
import { differences } from "../support/walker.ts";

const COMMITTED = { config: { git: { commit: "always" }, isolation: "in_place" } } as const;
const TICKS = 40;
const at = (world: World, name: string) => join(world.state(), name);
const journalOf = (world: World) => at(world, "journal.jsonl");

/** One tick, told again and again, and another one, which leaves the summary. */
async function makeLong(world: World): Promise<void> {
  await world.run();
  await lengthenHistory(world, { ticks: TICKS, withFiles: true });
  world.git("reset", "-q", "--hard", "HEAD~1");
  expect((await world.run()).status).toBe(0);
  world.git("reset", "-q", "--hard", "HEAD~1");
  expect(existsSync(at(world, "summary.json"))).toBe(true);
}

/** The mark is in the list only if that came from the summary. */
function mark(world: World): void {
  const [bound = "", body = ""] = readFileSync(at(world, "summary.json"), "utf8").split("\n");
  const changed = body.replaceAll('"intent":"Set the answer to 42."', '"intent":"As I remember it."');
  writeFileSync(at(world, "summary.json"), `${bound}\n${changed}\n${changed}\n`);
}

const list = async (world: World): Promise<string> => (await world.relais(["history", "list"])).stdout;

async function readLines(world: World) {
  const read = await readJournal(journalOf(world));
  if (read.kind !== "read") throw new Error(`the journal is ${read.kind}`);
  return read.lines;
}

test("the list of the history is the same from the summary", () =>
  inWorld(COMMITTED, async (world) => {
    await makeLong(world);
    const listed = await list(world);
    rmSync(at(world, "summary.json"));
    expect(await list(world)).toBe(listed);
    expect(listed).toContain(`and ${TICKS + 2 - 20} more`);
  }));

test("a tick after a summary leaves what a tick after all lines leaves", () =>
  inWorld(COMMITTED, async (world) => {
    await makeLong(world);
    mark(world);
    expect((await world.run()).status).toBe(0);
    // It was used, and the next one was made from it.
    expect(readFileSync(at(world, "summary.json"), "utf8")).toContain("As I remember it.");
    const lines = await readLines(world);
    const state: unknown = JSON.parse(world.read("relais/STATE.json"));
    expect(state).toEqual(foldWorkspaceState(lines, makeDefaultConfig().budgets));
    expect(world.read("relais/ledger.jsonl")).toBe(readFileSync(journalOf(world), "utf8"));
    const ask = async (): Promise<unknown> =>
      JSON.parse((await world.relais(["status", "--json"])).stdout.replaceAll(/"seconds_ago":\d+/g, '"seconds_ago":0'));
    const remembered = await ask();
    rmSync(at(world, "status.json"));
    expect(remembered).toEqual(await ask());
    expect((await world.relais(["undo"])).status).toBe(0);
    expect(world.read("relais/ledger.jsonl")).toBe(readFileSync(journalOf(world), "utf8"));
    expect((await world.relais(["history", "replay", "--json"])).stdout).toContain('"edited_line":null');
  }));

/** As long as before, with another number in the middle. */
function changeByte(world: World): void {
  const text = readFileSync(journalOf(world), "utf8");
  const middle = text.indexOf('"seq":1', text.length / 2);
  writeFileSync(journalOf(world), `${text.slice(0, middle)}"seq":2${text.slice(middle + 7)}`);
}

function cutLine(world: World): void {
  const text = readFileSync(journalOf(world), "utf8");
  truncateSync(journalOf(world), text.lastIndexOf("\n", text.length - 2) + 1);
}

function replaceByCopy(world: World): void {
  copyFileSync(journalOf(world), at(world, "copy"));
  renameSync(at(world, "copy"), journalOf(world));
}

const CHANGES: Readonly<Record<string, (world: World) => void>> = {
  "a byte of the journal changed": changeByte,
  "the journal was cut": cutLine,
  "the journal was replaced by a copy": replaceByCopy,
  "the journal is gone": (world) => rmSync(journalOf(world)),
  "a lock is there": (world) => writeFileSync(at(world, "lock.json"), "{}"),
  "a folder of a tick came": (world) => mkdirSync(at(world, "runs/20260101T000000Z-0000abcd")),
  "the ledger is longer": (world) => appendFileSync(join(world.root, "relais/ledger.jsonl"), "x"),
  "the summary is cut": (world) => truncateSync(at(world, "summary.json"), 20_000),
  "another version wrote the summary": (world) => {
    const text = readFileSync(at(world, "summary.json"), "utf8");
    writeFileSync(at(world, "summary.json"), text.replace('{"writer":"', '{"writer":"9'));
  },
};

test.for(Object.entries(CHANGES))("where %s every line is read", ([, change]) =>
  inWorld(COMMITTED, async (world) => {
    await makeLong(world);
    mark(world);
    expect(await list(world)).toContain("As I remember it.");
    change(world);
    expect(await list(world)).not.toContain("As I remember it.");
  }),
);

test("damage before the recent lines is found by the next tick", () =>
  inWorld(COMMITTED, async (world) => {
    await makeLong(world);
    changeByte(world);
    const ran = await world.run();
    expect(JSON.parse(ran.stdout)).toMatchObject({ code: "BLOCKED_CRASH_RECOVERY_REQUIRED", cause: "journal_corrupt" });
    expect((await world.relais(["recover"])).status).toBe(0);
    expect((await world.run()).status).toBe(0);
  }));

/** A tick whose builder changes a file and runs a script with the state directory as $S. */
async function meddle(world: World, script: string): Promise<void> {
  const edit = { do: "write", path: "src/main.ts", text: "half\n" };
  const act = { do: "run", argv: ["sh", "-c", `S=$(echo "$PWD"/../../state/relais/*); ${script}`] };
  writeFileSync(join(world.box, "task.json"), JSON.stringify(taskOf({ steps: [edit, act] })));
  const before = watch(world);
  const ran = await world.run();
  expect(JSON.parse(ran.stdout)).toMatchObject({
    code: "STOP_RUNNER_OWNED_MUTATION",
    cause: "journal_changed",
    settle: { action: "rollback" },
  });
  expect(differences(before, watch(world)).filter((path) => !path.includes("relais/"))).toEqual([]);
}

test.for([
  ["deletes the journal", 'rm "$S/journal.jsonl"'],
  ["overwrites the journal", 'echo x > "$S/journal.jsonl"'],
] as const)("a builder that %s after many ticks loses none of them", ([, script]) =>
  inWorld({ ...COMMITTED, ownProcess: true }, async (world) => {
    await makeLong(world);
    const lines = await readLines(world);
    await meddle(world, script);
    expect((await readLines(world)).slice(0, lines.length)).toEqual(lines);
    expect((await world.relais(["recover", "--json"])).stdout).toContain('"kind":"nothing"');
  }),
);

test("where a builder destroys the early lines everywhere its work is reverted, and the loss is told", () =>
  inWorld({ ...COMMITTED, ownProcess: true }, async (world) => {
    await makeLong(world);
    await meddle(world, 'echo x > "$S/journal.jsonl"; echo x > relais/ledger.jsonl');
    expect((await readLines(world)).at(-1)?.event).toMatchObject({ code: "STOP_RUNNER_OWNED_MUTATION" });
    expect((await world.relais(["recover", "--json"])).stdout).toContain('"cause":"tick_lost"');
    expect((await world.relais(["recover", "--abandon"])).status).toBe(0);
    writeFileSync(join(world.box, "task.json"), JSON.stringify(taskOf({})));
    expect((await world.run()).status).toBe(0);
  }));

test("pruning an old tick leaves a repository in which everything goes on", () =>
  inWorld(COMMITTED, async (world) => {
    await makeLong(world);
    for (const keep of ["5", "3"]) {
      const pruned = await world.relais(["history", "prune", "--keep", keep]);
      expect(pruned).toMatchObject({ status: 0, stderr: "" });
      expect((await world.relais(["history", "list"])).status).toBe(0);
      expect((await world.relais(["status"])).status).toBe(0);
      expect((await world.run()).status).toBe(0);
      world.git("reset", "-q", "--hard", "HEAD~1");
    }
  }));
