/** Builders that damage what relais remembers while relais lives: it still knows everything, and puts it back. */
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inWorld } from "../support/scenario.ts";
import { taskOf } from "../support/scenario-documents.ts";
import { watch } from "../support/scenario-ending.ts";
import type { World } from "../support/scenario-world.ts";
import { differences } from "../support/walker.ts";

/** A builder that changes a committed file where it may not, and then runs a script with the state directory as $S. */
const meddling = (script: string) => ({
  // A relais that lost its journal leaves its lock, which is free only where the process is gone.
  ownProcess: true,
  files: { "docs/guide.md": "Guide.\n", ".gitignore": ".env\n" },
  steps: [
    { do: "write", path: "docs/guide.md", text: "evil\n" },
    { do: "write", path: "src/main.ts", text: "half\n" },
    { do: "run", argv: ["sh", "-c", `S=$(echo "$PWD"/../../state/relais/*); ${script}`] },
  ],
});

const lastCode = (world: World): unknown =>
  JSON.parse(readFileSync(join(world.state(), "journal.jsonl"), "utf8").trimEnd().split("\n").at(-1) ?? "").event.code;

/** Afterwards everything is as usual: nothing to recover, and the next tick could begin. */
async function goesOn(world: World): Promise<void> {
  expect((await world.relais(["recover", "--json"])).stdout).toContain('"kind":"nothing"');
  const status = await world.relais(["status", "--preflight", "--json"]);
  expect(status).toMatchObject({ status: 0 });
  expect(JSON.parse(status.stdout)).toMatchObject({ preflight: { would_start: true }, unfinished: null });
}

async function ticksAgain(world: World): Promise<void> {
  writeFileSync(join(world.box, "task.json"), JSON.stringify(taskOf({})));
  expect((await world.run()).status).toBe(0);
}

const FORGED = `echo '{"seq": 9, "event": {"type": "settled"}}' >> "$S/journal.jsonl"`;
const AS_LONG = `sed -i 's/"seq":1,/"seq":7,/' "$S/journal.jsonl"`;

describe.each([
  ["forges a line of the journal", FORGED],
  ["changes the journal and keeps its length", AS_LONG],
  ["cuts the journal short", 'head -n 1 "$S/journal.jsonl" > "$S/j"; cat "$S/j" > "$S/journal.jsonl"; rm "$S/j"'],
  ["deletes the journal", 'rm "$S/journal.jsonl"'],
  ["puts a folder in the place of the journal", 'rm "$S/journal.jsonl"; mkdir "$S/journal.jsonl"'],
  ["deletes the states of all repositories", 'rm -rf "$(dirname "$S")"'],
  ["puts a file in the place of the state directory", 'rm -rf "$S"; echo x > "$S"'],
])("a builder that %s", (_, script) => {
  test("is stopped, and everything is put back", () =>
    inWorld(meddling(script), async (world) => {
      const before = watch(world);
      const ran = await world.run();
      expect(JSON.parse(ran.stdout)).toMatchObject({
        code: "STOP_RUNNER_OWNED_MUTATION",
        cause: "journal_changed",
        settle: { action: "rollback" },
      });
      expect(ran.status).toBe(10);
      expect(differences(before, watch(world))).toEqual([]);
      expect(lastCode(world)).toBe("STOP_RUNNER_OWNED_MUTATION");
      expect(readdirSync(join(world.root, "relais")).filter((name) => name.startsWith("lock"))).toEqual([]);
      await goesOn(world);
    }));
});

test("what no copy is left of is named, and giving up leads on", () =>
  inWorld(meddling('echo changed > .env; rm -rf "$S"'), async (world) => {
    writeFileSync(join(world.root, ".env"), "SECRET=1\n");
    const ran = await world.run();
    const report = JSON.parse(ran.stdout);
    expect(report).toMatchObject({ code: "BLOCKED_ROLLBACK_FAILED", notes_total: 2 });
    expect(report.notes[0]).toBe("not put back: .env");
    expect(world.read("docs/guide.md")).toBe("Guide.\n");
    expect(world.git("status", "--porcelain")).toBe("");

    expect(await world.relais(["recover"])).toMatchObject({
      status: 11,
      stderr: expect.stringMatching(/write \.env$/m),
    });
    const refused = await world.relais(["recover", "--yes"]);
    expect(refused.status).toBe(11);
    expect(refused.stderr).toMatch(/BLOCKED_ROLLBACK_FAILED[^]*\.env[^]*relais recover --abandon/);
    expect((await world.run()).status).toBe(11);
    expect(await world.relais(["recover", "--abandon"])).toMatchObject({ status: 0, stderr: "" });
    await ticksAgain(world);
  }));

test("where the state cannot be written again, the tick is remembered as one that was cut short", () =>
  inWorld(
    meddling('rm -rf "$S"; cd "$(dirname "$S")/.."; mv relais gone; ln -s nowhere/at/all relais'),
    async (world) => {
      const ran = await world.run();
      expect(ran.status).toBe(11);
      const { code, cause, message } = JSON.parse(ran.stdout);
      expect([code, cause]).toEqual(["BLOCKED_CRASH_RECOVERY_REQUIRED", "journal_unwritable"]);
      expect(message.match(/journal\.jsonl/g)).toHaveLength(1);
      expect(world.has("relais/lock.json")).toBe(true);
      const state = join(world.box, "state");
      rmSync(join(state, "relais"));
      const recovered = await world.relais(["recover"]);
      expect(recovered.status).toBe(11);
      expect(recovered.stderr).toContain("its journal is lost: relais cannot revert it");
      expect(await world.relais(["recover", "--abandon"])).toMatchObject({ status: 0, stderr: "" });
      world.git("checkout", "-q", ".");
      await ticksAgain(world);
    },
  ));
