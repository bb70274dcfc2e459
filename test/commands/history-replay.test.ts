import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { executable } from "../support/relais.ts";
import { rewindJournal, tickRepository, type TickRepository } from "../support/tick-repository.ts";
import { runs } from "../support/runs.ts";

const WRITE = { do: "write", path: "src/x.ts", text: "new\n" };
const CHECKED = { verification: { templates: [{ id: "greet", cmd: "echo", args: ["hello"] }] } };

interface Answer {
  readonly status: number;
  readonly document: unknown;
}

/** Asks in this process, with the state in this folder: hundreds of processes would take minutes. */
async function ask({ root }: TickRepository, stateHome: string, args: readonly string[]): Promise<Answer> {
  let said = "";
  const out = (text: string | Uint8Array): void => {
    said += Buffer.from(text).toString("utf8");
  };
  const { signal } = new AbortController();
  const env = { ...process.env, XDG_STATE_HOME: stateHome };
  const relais = [process.execPath, executable] as const;
  const status = await main([...args, "--json"], {
    cwd: root,
    out,
    err: out,
    isTerminal: false,
    env,
    relais,
    signal,
  });
  const document: unknown = JSON.parse(said);
  return { status, document };
}

/** A tick with a check, so that its folder has everything that a folder can have. */
async function checkedTick(repository: TickRepository): Promise<string> {
  await repository.tick([]);
  const path = join(repository.box, "task.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"fast":[]', '"fast":["greet"]'));
  expect((await repository.relais("run", "--task", path)).status).toBe(0);
  return (
    readdirSync(join(repository.root, "relais/history")).find((name) =>
      readdirSync(join(repository.root, "relais/history", name)).includes("verify.log"),
    ) ?? ""
  );
}

/** One byte flipped, inserted or deleted; a place beyond the end counts from the beginning again. */
const harm = fc.record({
  file: fc.nat(),
  at: fc.nat(),
  bit: fc.nat({ max: 7 }),
  how: fc.constantFrom("flip", "insert", "delete"),
});
type Harm = typeof harm extends fc.Arbitrary<infer H> ? H : never;

function harmed(data: Buffer, { at, bit, how }: Harm): Buffer {
  const place = at % (data.length + (how === "insert" ? 1 : 0) || 1);
  const [head, tail] = [data.subarray(0, place), data.subarray(place)];
  if (how === "insert" || data.length === 0) return Buffer.concat([head, Buffer.from([1 << bit]), tail]);
  if (how === "delete") return Buffer.concat([head, tail.subarray(1)]);
  return Buffer.concat([head, Buffer.from([(tail[0] ?? 0) ^ (1 << bit)]), tail.subarray(1)]);
}

test("one byte that is flipped, inserted or deleted in any file of a tick is told by the name of the file", async () => {
  const repository = tickRepository({ config: CHECKED });
  const runId = await checkedTick(repository);
  const folder = join(repository.root, "relais/history", runId);
  const names = readdirSync(folder);
  expect(names.toSorted()).toEqual(
    expect.arrayContaining(["builder.log", "config.json", "diff.patch", "evidence.json", "meta.json"]),
  );
  expect(names).toEqual(expect.arrayContaining(["report.json", "report.md", "task.json", "verify.log"]));
  const home = join(repository.box, "state");
  const elsewhere = join(repository.box, "another machine");
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(harm, fc.boolean(), async (damage, isElsewhere) => {
      const file = names[damage.file % names.length] ?? "";
      seen.add(file);
      const data = readFileSync(join(folder, file));
      writeFileSync(join(folder, file), harmed(data, damage));
      const answer = await ask(repository, isElsewhere ? elsewhere : home, ["history", "replay", runId]);
      writeFileSync(join(folder, file), data);
      expect(answer).toMatchObject({ status: 10, document: { same: false, ticks: [{ file, others: [] }] } });
    }),
    runs(120),
  );
  expect([...seen].toSorted()).toEqual(names.toSorted());
  for (const state of [home, elsewhere])
    expect(await ask(repository, state, ["history", "replay", runId])).toMatchObject({
      status: 0,
      document: { ticks: [{ result: "same", hash_checked: true, folder_checked: true }] },
    });
});

test("what is missing, added or replaced by a link is named, and all of it", async () => {
  const repository = tickRepository();
  const runId = await repository.tick([WRITE]);
  const folder = join(repository.root, "relais/history", runId);
  const outside = join(repository.box, "task.json");
  cpSync(join(folder, "task.json"), outside);
  rmSync(join(folder, "task.json"));
  symlinkSync(outside, join(folder, "task.json"));
  rmSync(join(folder, "builder.log"));
  mkdirSync(join(folder, "more/deeper"), { recursive: true });
  writeFileSync(join(folder, "more/notes.md"), "mine\n");
  const { status, document } = await repository.ask("history", "replay");
  expect(status).toBe(10);
  expect(document).toMatchObject({
    ticks: [
      {
        result: "damaged",
        file: "builder.log",
        reason: "it is missing",
        others: [
          { file: "task.json", reason: "it is a link" },
          { file: "more", reason: "it was added" },
          { file: "more/deeper", reason: "it was added" },
          { file: "more/notes.md", reason: "it was added" },
        ],
      },
    ],
  });
  expect((await repository.relais("history", "replay")).stdout).toContain("also more/notes.md: it was added");
});

test("a folder that is gone altogether is noticed", async () => {
  const repository = tickRepository();
  const runId = await repository.tick([WRITE]);
  rmSync(join(repository.root, "relais/history", runId), { recursive: true });
  expect(await repository.ask("history", "replay")).toMatchObject({
    status: 10,
    document: { ticks: [{ run_id: runId, result: "damaged", file: "its folder" }] },
  });
});

test("where no history is wanted there is none to compare", async () => {
  const repository = tickRepository({ config: { history: { enabled: false } } });
  const runId = await repository.tick([WRITE]);
  expect(await repository.ask("history", "replay", runId)).toMatchObject({
    status: 0,
    document: { ticks: [{ result: "not_kept" }] },
  });
  mkdirSync(join(repository.root, "relais/history", runId), { recursive: true });
  writeFileSync(join(repository.root, "relais/history", runId, "meta.json"), "{}");
  expect(await repository.ask("history", "replay", runId)).toMatchObject({
    status: 10,
    document: { ticks: [{ result: "damaged", file: "meta.json", reason: "it was added" }] },
  });
});

test("an edited ledger is named beside a good journal, and where it is all there is", async () => {
  const repository = tickRepository();
  const runId = await repository.tick([]);
  const ledger = join(repository.root, "relais/ledger.jsonl");
  const text = readFileSync(ledger, "utf8");
  const edited = text.split("\n").map((line, at) => (at === 1 ? line.replace('"at":"2', '"at":"1') : line));
  expect(await repository.ask("history", "replay")).toMatchObject({ status: 0, document: { same: true } });
  writeFileSync(ledger, edited.join("\n"));
  expect(await repository.ask("history", "replay", runId)).toMatchObject({
    status: 10,
    document: { same: false, ledger: { edited_line: 2 }, ticks: [{ run_id: runId, result: "same" }] },
  });
  expect((await repository.relais("history", "replay")).stdout).toMatch(
    /✗ ledger\.jsonl was edited in line 2; the journal is the source/,
  );
  // On another machine its own chain has to do.
  const elsewhere = join(repository.box, "elsewhere");
  mkdirSync(elsewhere);
  expect(await ask(repository, elsewhere, ["history", "replay"])).toMatchObject({
    status: 11,
    document: {
      cause: "journal_corrupt",
      message: expect.stringContaining("ledger.jsonl is damaged at line 2"),
    },
  });
  expect((await repository.relais("recover")).status).toBe(0);
  expect(readFileSync(ledger, "utf8")).toBe(text);
  expect(await ask(repository, elsewhere, ["history", "replay"])).toMatchObject({
    status: 0,
    document: { same: true, ticks: [{ run_id: runId, hash_checked: true, folder_checked: true }] },
  });
});

test("a tick whose end the journal has lost is named, and nothing breaks", async () => {
  const repository = tickRepository();
  const runId = await repository.tick([]);
  const lines = readFileSync(join(repository.state(), "journal.jsonl"), "utf8").split("\n");
  rewindJournal(repository, `${lines.slice(0, 2).join("\n")}\n`);
  expect(await repository.ask("history", "replay", runId)).toMatchObject({
    status: 10,
    document: { same: false, ticks: [{ result: "damaged", file: "the journal" }] },
  });
});
