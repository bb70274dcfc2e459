/**
 * A journal that a newer relais has written to. Every command that opens the journal refuses it with one sentence, and
 * nothing is written: not to the journal, not to its copies, not anywhere else.
 */
import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RECORD_VERSION } from "../../src/contract/values/record-version.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { openJournal } from "../../src/io/journal/journal.ts";
import { HISTORIES, type RestoredHistory, restoreHistory } from "./restored-history.ts";

const NEWER = RECORD_VERSION + 1;
const hash = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A line as a later version may write it: only where its version and its hash stand is agreed on. */
function newerLine(prev: string): string {
  const body = JSON.stringify({ version: NEWER, number: 9, before: hash(prev), what: { of: "the future" } });
  return `${body.slice(0, -1)},"sha256":"${hash(body)}"}`;
}

async function restored(name: string): Promise<RestoredHistory> {
  const history = HISTORIES.find(({ id }) => id === `0.1.0/${name}`);
  if (history === undefined) throw new Error(`there is no history ${name}`);
  return restoreHistory(history);
}

async function newer(name: string): Promise<RestoredHistory & { readonly journal: string }> {
  const history = await restored(name);
  const journal = join(history.state, "journal.jsonl");
  appendFileSync(journal, `${newerLine(readFileSync(journal, "utf8").trimEnd().split("\n").at(-1) ?? "")}\n`);
  return { ...history, journal };
}

/** Every entry below a folder with its content, whatever git thinks of it. */
function everything({ box }: RestoredHistory): ReadonlyMap<string, string> {
  const names = readdirSync(box, { recursive: true, encoding: "utf8" });
  return new Map(
    names.toSorted().map((name) => {
      const path = join(box, name);
      return [name, statSync(path).isFile() ? hash(readFileSync(path, "latin1")) : "folder"];
    }),
  );
}

/** How each command is called so that it opens the journal, and in which history. */
const CALLS: Readonly<Record<string, readonly (readonly [string, ...string[]])[]>> = {
  status: [["relay"], ["relay", "--preflight"]],
  run: [["relay", "--task", "task.json"], ["loop"], ["relay", "--task", "task.json", "--dry-run"]],
  loop: [["loop"]],
  tree: [
    ["tree", "run"],
    ["tree", "step"],
  ],
  goal: [
    ["goal", "Another goal"],
    ["goal", "status"],
    ["goal", "resume"],
    ["goal", "report"],
    ["goal", "handoff"],
  ],
  campaign: [
    ["campaign", "run", "lines"],
    ["campaign", "status", "lines"],
  ],
  accept: [["relay"]],
  undo: [["relay"]],
  reject: [["interrupted", "20260101T000000Z-00000000"]],
  pause: [["interrupted"]],
  resume: [["interrupted"]],
  stop: [["interrupted"]],
  diff: [["relay"]],
  report: [["relay", "--html", "report.html"]],
  log: [["relay"], ["relay", "--follow"]],
  answer: [["relay", "2"]],
  recover: [["relay"], ["interrupted"], ["relay", "--abandon"], ["interrupted", "--abandon"]],
  salvage: [["relay"], ["relay", "show"]],
  land: [["relay", "HEAD"]],
  history: [["relay"], ["relay", "show"], ["relay", "diff"], ["relay", "replay"], ["relay", "prune", "--keep", "0"]],
  events: [["relay"], ["relay", "--follow"]],
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
  ui: "shows it as the trouble of that repository, test/web/ui.test.ts",
  explain: "reads nothing",
  completions: "reads nothing",
};

test("every command is looked at", () => {
  const looked = [...Object.keys(CALLS), ...Object.keys(WITHOUT_JOURNAL)].toSorted();
  expect(COMMANDS.map(({ name }) => name).toSorted()).toEqual(looked);
});

const TABLE = Object.entries(CALLS).flatMap(([command, calls]) =>
  calls.map(([history, ...args]) => ({
    history,
    args: [command, ...args],
    words: [command, ...args].join(" "),
  })),
);

test.for(TABLE)("`relais $words` refuses a newer journal in $history and writes nothing", async (call) => {
  const world = await newer(call.history);
  writeFileSync(join(world.box, "task.json"), readFileSync(taskOf(world)));
  const args = call.args.map((word) => (word === "task.json" ? join(world.box, word) : word));
  const before = everything(world);
  const { status, out } = await world.relais(...args, "--json");
  expect(JSON.parse(out)).toMatchObject({
    verdict: "blocked",
    code: "BLOCKED_MISSING_CONFIG",
    cause: "journal_newer",
    message: expect.stringMatching(
      new RegExp(`version ${NEWER}, but this relais reads versions up to ${RECORD_VERSION}: update relais\\.$`),
    ),
  });
  expect(status).toBe(11);
  expect(everything(world)).toEqual(before);
});

function taskOf({ root }: RestoredHistory): string {
  const found = readdirSync(root, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith("task.json"));
  return join(root, found ?? "relais.config.json");
}

test("`relais doctor` says it too", async () => {
  const world = await newer("relay");
  const before = everything(world);
  const { out } = await world.relais("doctor");
  expect(out.replace(/\s+/gu, " ")).toContain("update relais");
  expect(out).not.toContain("damaged");
  expect(everything(world)).toEqual(before);
});

test("to a person it is one sentence and what to do", async () => {
  const world = await newer("relay");
  const { err } = await world.relais("status");
  expect(err).toMatch(/update relais/);
  expect(err).not.toMatch(/damaged|corrupt|recover/);
});

test("a newer line that was cut short is not cut off", async () => {
  const world = await newer("relay");
  const text = readFileSync(world.journal);
  writeFileSync(world.journal, text.subarray(0, -30));
  const before = everything(world);
  expect(await openJournal({ path: world.journal, ledger: null })).toMatchObject({
    kind: "newer",
    version: NEWER,
  });
  expect((await world.relais("recover", "--json")).status).toBe(11);
  expect(everything(world)).toEqual(before);
});

test.for(["only the ledger is there", "the journal has lost its last lines"])(
  "a newer ledger is refused like the journal: %s",
  async (what) => {
    const world = await newer("relay");
    const text = readFileSync(world.journal, "utf8");
    writeFileSync(join(world.root, "relais/ledger.jsonl"), text);
    if (what.startsWith("only")) rmSync(world.journal);
    else writeFileSync(world.journal, `${text.split("\n").slice(0, -4).join("\n")}\n`);
    const before = everything(world);
    for (const command of ["status", "recover", "accept"])
      expect(JSON.parse((await world.relais(command, "--json")).out)).toMatchObject({
        cause: "journal_newer",
      });
    expect(everything(world)).toEqual(before);
  },
);

test("a line whose hash does not match is damage, whatever version it claims", async () => {
  const world = await newer("relay");
  writeFileSync(world.journal, readFileSync(world.journal, "utf8").replace("the future", "the past"));
  expect(await openJournal({ path: world.journal, ledger: null })).toMatchObject({ kind: "corrupt" });
});
