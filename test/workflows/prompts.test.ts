/** What the report says about the prompts of each session: their bytes, and what share of them a cache can have. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inLoopWorld, stepOf } from "../support/loop-world.ts";

function reviewedStep(line: string): object {
  const steps = [{ do: "write", path: "src/main.ts", text: `export const answer = 42; // ${line}\n` }];
  const risk = [{ do: "result", content: { decision: "approve", explanation: "Looked.", reasons: [] } }];
  const instructions = JSON.stringify({ steps, reviewers: { risk } });
  return stepOf([], { builder: { mode: "scripted", max_turns: 1, instructions } });
}

const REPORTED =
  /## Prompts\n\n- orchestrator: \d+ bytes, of which the first \d+ \(\d+ %\) are those of the prompt before\. Bytes by section: .*`Goal of the project` \d+, .*\n- builder: .*\n- reviewer risk: /u;
const SHOWN = /prompts orchestrator \d+\.\d kB, \d+ % as before; builder \d+\.\d kB, \d+ % as before; risk /u;

function checkKept(folder: string): void {
  expect(readdirSync(folder).toSorted()).toEqual(["relay.builder", "relay.orchestrator", "relay.reviewer.risk"]);
  expect(statSync(join(folder, "relay.builder")).mode & 0o777).toBe(0o600);
}

test("a report has the size of each prompt, and the share of the one before from the second tick on", () =>
  inLoopWorld(
    {
      plans: ["echo nothing > $RELAIS_RESULT_PATH; exit 0\n", reviewedStep("one"), reviewedStep("two")],
      config: { review: { reviewers: ["risk"] } },
    },
    async (world) => {
      const { reports } = await world.loop(["--max-ticks", "2"]);
      const [first = [], second = []] = reports.map(({ prompts }) => prompts ?? []);
      const [before = "", last = ""] = reports.map(({ run_id }) => run_id);
      expect(first.map(({ role, name, shared_bytes }) => [role, name, shared_bytes])).toEqual([
        ["orchestrator", undefined, null],
        // Its first answer was none, so it was asked again.
        ["orchestrator", undefined, expect.any(Number)],
        ["builder", undefined, null],
        ["reviewer", "risk", null],
      ]);
      expect(second.map(({ role }) => role)).toEqual(["orchestrator", "builder", "reviewer"]);
      for (const { bytes, shared_bytes, sections } of second) {
        expect(shared_bytes).toBeGreaterThan(bytes / 2);
        expect(shared_bytes).toBeLessThan(bytes);
        expect(Object.values(sections).reduce((sum, more) => sum + more, 0)).toBe(bytes);
      }
      expect(second[0]?.sections).toHaveProperty("Goal of the project");
      expect(JSON.parse(world.read("relais/REPORT.json"))).toMatchObject({ prompts: second });
      expect(world.read("relais/REPORT.md")).toMatch(REPORTED);
      expect(world.prompt(3)).toContain("# success: SUCCESS");
      for (const words of [before, "Bytes by section", "relais undo"]) expect(world.prompt(3)).not.toContain(words);
      const page = (await world.relais(["history", "show", last])).stdout;
      expect(page.replaceAll(/\s+/gu, " ")).toMatch(SHOWN);
      expect((await world.relais(["history", "replay", last])).status).toBe(0);
      checkKept(join(world.state(), "prompts"));
    },
  ));
