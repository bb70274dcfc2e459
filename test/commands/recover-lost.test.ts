/** Builders that damage what relais remembers, and kill it before it can say a word. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inWorld } from "../support/scenario.ts";
import { taskOf } from "../support/scenario-documents.ts";
import { watch } from "../support/scenario-ending.ts";
import type { World } from "../support/scenario-world.ts";
import { differences } from "../support/walker.ts";

const KILL_RELAIS = 'kill -9 "$(ps -o ppid= -p "$PPID" | tr -d " ")"';

/** A task whose builder changes a file, runs a script with the state directory as $S, and kills relais. */
const hostile = (script: string) => ({
  ownProcess: true,
  steps: [
    { do: "write", path: "src/main.ts", text: "half\n" },
    {
      do: "run",
      argv: ["sh", "-c", `S=$(echo "$PWD"/../../state/relais/*); ${script}; ${KILL_RELAIS}`],
      may_fail: true,
    },
  ],
});

/** The quotes keep it from finding this script itself, which the journal holds as a part of the task. */
const CUT = `grep -n '"type":"tick_ended"' "$S/journal.jsonl" | tail -1 | cut -d: -f1`;
const TRUNCATE = `n=$(${CUT}); head -n "\${n:-0}" "$S/journal.jsonl" > "$S/j" && cat "$S/j" > "$S/journal.jsonl"; rm "$S/j"`;

const journalOf = (world: World): string => readFileSync(join(world.state(), "journal.jsonl"), "utf8");

/** The hashes of the lines, reckoned here and not by the product. */
function brokenLinks(journal: string): readonly number[] {
  const lines = journal.trimEnd().split("\n");
  return lines.flatMap((line, index) => {
    const before = index === 0 ? null : createHash("sha256").update(lines[index - 1] ?? "");
    return JSON.parse(line).prev === (before?.digest("hex") ?? null) ? [] : [index + 1];
  });
}

const types = (journal: string): readonly string[] =>
  journal
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).event.type);

/** One tick that ends well and is taken back, so that there is an earlier tick to cut the journal at. */
async function earlierTick(world: World): Promise<void> {
  const task = join(world.box, "task.json");
  const wanted = readFileSync(task, "utf8");
  writeFileSync(task, JSON.stringify(taskOf({})));
  expect((await world.run()).status).toBe(0);
  expect((await world.relais(["undo"])).status).toBe(0);
  writeFileSync(task, wanted);
}

/** What the doctor says of the journal. */
async function journalLine(world: World): Promise<unknown> {
  const { checks } = JSON.parse((await world.relais(["doctor", "--json"])).stdout);
  return checks.find(({ subject }: { readonly subject: string }) => subject === "journal");
}

describe.each([
  ["cuts the journal at the end of an earlier tick", TRUNCATE],
  ["damages a line of the journal", 'sed -i "2s/seq/SEQ/" "$S/journal.jsonl"'],
  ["empties the journal and the ledger", ': > "$S/journal.jsonl"; : > relais/ledger.jsonl'],
])("a builder that %s and kills relais", (_, script) => {
  test("is noticed by every command, and everything comes back", () =>
    inWorld(hostile(script), async (world) => {
      await earlierTick(world);
      const before = watch(world);
      expect(await world.run()).toMatchObject({ status: null });
      expect(world.read("src/main.ts")).toBe("half\n");

      const ran = await world.run();
      expect(ran.status).toBe(11);
      expect(JSON.parse(ran.stdout)).toMatchObject({ code: "BLOCKED_CRASH_RECOVERY_REQUIRED" });
      const status = await world.relais([]);
      expect(`${status.stdout}${status.stderr}`).toContain("relais recover");
      expect(await journalLine(world)).toMatchObject({
        status: "fail",
        message: expect.stringMatching(/journal .*(?:missing|damaged)|missing from the journal/),
        fix: expect.stringContaining("relais recover"),
      });

      const recovered = await world.relais(["recover", "--json"]);
      expect(recovered).toMatchObject({ status: 0, stderr: "" });
      expect(JSON.parse(recovered.stdout)).toMatchObject({
        kind: "recovered",
        report: { code: "STOP_INTERRUPTED", cause: "crash" },
      });
      expect(JSON.parse(recovered.stdout).mended_lines).toBeGreaterThan(0);
      expect(differences(before, watch(world))).toEqual([]);
      expect(brokenLinks(journalOf(world))).toEqual([]);
      expect(types(journalOf(world)).filter((type) => type === "tick_started")).toHaveLength(2);
      expect((await world.relais(["salvage", "show"])).stdout).toContain("src/main.ts");
      expect(world.has("relais/lock.json")).toBe(false);
      expect((await world.relais(["recover", "--json"])).stdout).toContain('"kind":"nothing"');
    }));
});

describe.each([
  ["deletes the states of all repositories", 'rm -rf "$(dirname "$S")"'],
  ["cuts the journal and deletes the copies", `${TRUNCATE}; rm -rf "$S"/runs`],
])("a builder that %s and kills relais", (_, script) => {
  test("has destroyed the way back, which is said, and the way on is named", () =>
    inWorld(hostile(`${script}; rm -f relais/ledger.jsonl`), async (world) => {
      await earlierTick(world);
      expect(await world.run()).toMatchObject({ status: null });

      expect(await journalLine(world)).toMatchObject({
        status: "fail",
        fix: expect.stringContaining("relais recover --abandon"),
      });
      for (const command of [["recover"], ["recover"]]) {
        const refused = await world.relais(command);
        expect(refused).toMatchObject({ status: 11 });
        expect(refused.stderr).toMatch(/^blocked BLOCKED_CRASH_RECOVERY_REQUIRED: The tick \S+ /);
        expect(refused.stderr).toContain("git status");
        expect(refused.stderr).toContain("relais recover --abandon");
      }
      expect((await world.run()).stdout).toContain("tick_lost");
      expect((await world.relais(["status"])).stdout).toMatch(/lost .*its journal is lost/);
      expect(world.read("src/main.ts")).toBe("half\n");

      const abandoned = await world.relais(["recover", "--abandon"]);
      expect(abandoned).toMatchObject({ status: 0, stderr: "" });
      expect(world.read("src/main.ts")).toBe("half\n");
      expect(brokenLinks(journalOf(world))).toEqual([]);
      expect(types(journalOf(world)).slice(-2)).toEqual(["abandoned", "tick_ended"]);

      world.git("checkout", "-q", ".");
      expect((await world.relais(["recover", "--json"])).stdout).toContain('"kind":"nothing"');
      await earlierTick(world);
    }));
});

test("what was lost is told apart from what never began: a kill before anything was touched needs no decision", () =>
  inWorld(hostile("true"), async (world) => {
    expect(await world.run()).toMatchObject({ status: null });
    const lock = join(world.root, "relais/lock.json");
    const { journal: _, ...early } = JSON.parse(readFileSync(lock, "utf8"));
    expect(await world.relais(["recover"])).toMatchObject({ status: 0 });
    writeFileSync(lock, JSON.stringify(early));
    rmSync(world.state(), { recursive: true });
    expect(await world.relais(["recover"])).toMatchObject({ status: 0, stderr: "" });
    expect(existsSync(lock)).toBe(false);
  }));

test("where what was remembered is lost, giving up leads on", () =>
  inWorld(hostile('rm "$S/observation"'), async (world) => {
    expect(await world.run()).toMatchObject({ status: null });
    const refused = await world.relais(["recover"]);
    expect(refused.status).toBe(11);
    expect(refused.stderr).toContain("relais recover --abandon");
    expect(await world.relais(["recover", "--abandon"])).toMatchObject({ status: 0, stderr: "" });
    expect(world.read("src/main.ts")).toBe("half\n");
    expect((await world.relais(["recover", "--json"])).stdout).toContain('"kind":"nothing"');
    world.git("checkout", "-q", ".");
    await earlierTick(world);
  }));

test("a journal that is damaged beyond its copies is set aside when it is given up, and nothing else", () =>
  inWorld(hostile('sed -i "2s/seq/SEQ/" "$S/journal.jsonl"; rm -rf "$S/runs"'), async (world) => {
    expect(await world.run()).toMatchObject({ status: null });
    const refused = await world.relais(["recover"]);
    expect(refused.status).toBe(11);
    expect(refused.stderr).toMatch(/is damaged at line 2[^]*--abandon/);
    expect(await world.relais(["recover", "--abandon"])).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(world.state()).some((name) => name.startsWith("journal.damaged-"))).toBe(true);
    expect(world.read("src/main.ts")).toBe("half\n");
    world.git("checkout", "-q", ".");
    await earlierTick(world);
  }));
