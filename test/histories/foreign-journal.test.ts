/**
 * A journal with a line of another version of the records. Every command that opens the journal refuses it with one
 * sentence, and nothing is written: not to the journal, not to its copies, not anywhere else.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RECORD_VERSION } from "../../src/base/record-version.ts";
import { COMMANDS } from "../../src/command-list.ts";
import { openJournal } from "../../src/journal/journal.ts";
import { type TickRepository, tickRepository } from "../support/tick-repository.ts";

const OTHER = RECORD_VERSION + 1;
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A line as another version may write it: only where its version and its hash stand is agreed on. */
function foreignLine(prev: string, version: number): string {
  const body = JSON.stringify({ version, number: 9, before: hash(prev), what: { of: "another time" } });
  return `${body.slice(0, -1)},"sha256":"${hash(body)}"}`;
}

interface World extends TickRepository {
  readonly journal: string;
  /** The journal as this relais wrote it. */
  readonly own: string;
}

/** Nothing is ever written in them, so that all tests share them. */
const worlds = { relay: await tickedWorld(), interrupted: await tickedWorld() };

async function tickedWorld(): Promise<World> {
  const world = tickRepository();
  await world.tick([{ do: "write", path: "src/x.ts", text: "new\n" }]);
  const journal = join(world.state(), "journal.jsonl");
  return { ...world, journal, own: readFileSync(journal, "utf8") };
}

/** Lets the journal go on with a line of this version, in the middle of the tick where it was interrupted. */
function makeForeign(name: keyof typeof worlds, version = OTHER): World {
  const world = worlds[name];
  const all = world.own.trimEnd().split("\n");
  const lines =
    name === "interrupted"
      ? all.slice(
          0,
          all.findIndex((line) => line.includes('"type":"build_ended"')),
        )
      : all;
  writeFileSync(world.journal, `${[...lines, foreignLine(lines.at(-1) ?? "", version)].join("\n")}\n`);
  return world;
}

/** Every entry below a folder with its content, whatever git thinks of it. */
function everything({ box }: World): ReadonlyMap<string, string> {
  const names = readdirSync(box, { recursive: true, encoding: "utf8" });
  return new Map(
    names.toSorted().map((name) => {
      const path = join(box, name);
      return [name, statSync(path).isFile() ? hash(readFileSync(path, "latin1")) : "folder"];
    }),
  );
}

/** How each command is called so that it opens the journal. */
const CALLS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  status: [[], ["--preflight"]],
  run: [["--task", "task.json"], [], ["--task", "task.json", "--dry-run"]],
  loop: [[]],
  tree: [["run"], ["step"]],
  goal: [["Another goal"], ["status"], ["resume"], ["report"], ["handoff"]],
  campaign: [
    ["run", "lines"],
    ["status", "lines"],
  ],
  accept: [[]],
  undo: [[]],
  fix: [[], ["--dry-run"]],
  milestone: [["next"]],
  reject: [["20260101T000000Z-00000000"]],
  pause: [[]],
  resume: [[]],
  stop: [[]],
  diff: [[]],
  report: [["--html", "report.html"]],
  log: [[], ["--follow"]],
  answer: [["2"]],
  recover: [[], ["--abandon"]],
  salvage: [[], ["show"]],
  land: [["HEAD"]],
  history: [[], ["show"], ["diff"], ["replay"], ["prune", "--keep", "0"]],
  events: [[], ["--follow"]],
};

const WITHOUT_JOURNAL: Readonly<Record<string, string>> = {
  init: "writes a configuration",
  eject: "writes a file of the package",
  judge: "looks at a change, not at ticks",
  doctor: "says it as the result of a check, below",
  mcp: "starts the command that a tool names, which opens it",
  submit: "writes to the queue; its job has a journal of its own",
  worker: "reads the queue, and journals of jobs, each in a state directory of its own",
  queue: "reads the queue",
  fetch: "brings commits, and a copy of the journal of a job",
  demo: "works in a repository of its own",
  drill: "works in copies, each with a state directory of its own",
  ui: "shows it as the trouble of that repository, test/page/ui.test.ts",
  explain: "reads nothing",
  completions: "reads nothing",
};

test("every command is looked at", () => {
  const looked = [...Object.keys(CALLS), ...Object.keys(WITHOUT_JOURNAL)].toSorted();
  expect(COMMANDS.map(({ name }) => name).toSorted()).toEqual(looked);
});

const TABLE = Object.entries(CALLS).flatMap(([command, calls]) => calls.map((args) => [command, ...args]));

describe.each(["relay", "interrupted"] as const)("after the tick: %s", (name) => {
  test.each(TABLE.map((args) => [args.join(" "), args] as const))(
    "`relais %s` refuses it and writes nothing",
    async (_, call) => {
      const world = makeForeign(name);
      const args = call.map((word) => (word === "task.json" ? join(world.box, word) : word));
      const before = everything(world);
      const { status, stdout } = await world.relais(...args, "--json");
      expect(JSON.parse(stdout)).toMatchObject({
        verdict: "blocked",
        code: "BLOCKED_MISSING_CONFIG",
        cause: "journal_version",
        message: expect.stringContaining(`has version ${OTHER}, but this relais reads only version ${RECORD_VERSION}.`),
      });
      expect(status).toBe(11);
      expect(everything(world)).toEqual(before);
    },
  );
});

test("`relais doctor` says it too", async () => {
  const world = makeForeign("relay");
  const before = everything(world);
  const { stdout } = await world.relais("doctor");
  expect(stdout.replace(/\s+/gu, " ")).toContain("Use the relais that wrote it.");
  expect(stdout).not.toContain("damaged");
  expect(everything(world)).toEqual(before);
});

test("to a person it is one sentence and what to do", async () => {
  const { stderr } = await makeForeign("relay").relais("status");
  expect(stderr).toMatch(/Use the relais that wrote it/);
  expect(stderr).not.toMatch(/damaged|corrupt|recover/);
});

test("a smaller version is refused like a larger one", async () => {
  const { stderr } = await makeForeign("relay", 0).relais("status");
  expect(stderr).toContain("has version 0");
});

test("a foreign line that was cut short is not cut off", async () => {
  const world = makeForeign("relay");
  writeFileSync(world.journal, readFileSync(world.journal).subarray(0, -30));
  const before = everything(world);
  expect(await openJournal({ path: world.journal, ledger: null })).toMatchObject({ kind: "foreign", version: OTHER });
  expect((await world.relais("recover", "--json")).status).toBe(11);
  expect(everything(world)).toEqual(before);
});

test.for(["only the ledger is there", "the journal has lost its last lines"])(
  "a foreign ledger is refused like the journal: %s",
  async (what) => {
    const world = makeForeign("relay");
    const text = readFileSync(world.journal, "utf8");
    const ledger = join(world.root, "relais/ledger.jsonl");
    const published = readFileSync(ledger);
    writeFileSync(ledger, text);
    if (what.startsWith("only")) rmSync(world.journal);
    else writeFileSync(world.journal, `${text.split("\n").slice(0, -4).join("\n")}\n`);
    const before = everything(world);
    for (const command of ["status", "recover", "accept"])
      expect(JSON.parse((await world.relais(command, "--json")).stdout)).toMatchObject({ cause: "journal_version" });
    expect(everything(world)).toEqual(before);
    writeFileSync(ledger, published);
  },
);

test("a line whose hash does not match is damage, whatever version it claims", async () => {
  const world = makeForeign("relay");
  writeFileSync(world.journal, readFileSync(world.journal, "utf8").replace("another time", "this time"));
  expect(await openJournal({ path: world.journal, ledger: null })).toMatchObject({ kind: "corrupt" });
});
