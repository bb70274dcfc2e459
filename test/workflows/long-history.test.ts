/** What a tick costs when many came before it. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JournalLine } from "../../src/records/event.ts";
import { renderJournalText } from "../../src/journal/journal-text.ts";
import { goodStep, inLoopWorld, type LoopWorld } from "../support/loop-world.ts";

const PLANS = Array.from({ length: 12 }, () => goodStep());

/** The journal of the first tick, told again under other names, as if as many ticks had been before. */
function lengthen(world: LoopWorld, ticks: number): void {
  const path = join(world.state(), "journal.jsonl");
  const lines = world.journal();
  const texts = readFileSync(path, "utf8").trimEnd().split("\n");
  let prev = createHash("sha256")
    .update(texts.at(-1) ?? "")
    .digest("hex");
  const first = lines.filter(({ run_id }) => run_id === lines[0]?.run_id);
  for (let tick = 0; tick < ticks; tick += 1) {
    const name = `20260101T000000Z-${String(texts.length).padStart(8, "0")}`;
    for (const { sha256: _, ...line } of first) {
      const next: JournalLine = { ...line, seq: texts.length, run_id: name, series_id: name, prev };
      const { text, sha256 } = renderJournalText(next);
      texts.push(text);
      prev = sha256;
    }
  }
  writeFileSync(path, `${texts.join("\n")}\n`);
}

/** How many texts three ticks parse; a line of the journal is one. */
async function countParsed(world: LoopWorld): Promise<number> {
  // Reads what somebody else wrote, and leaves its summary.
  await world.loop(["--max-ticks", "1"]);
  const { parse } = JSON;
  let parsed = 0;
  const count: typeof parse = (...given) => ((parsed += 1), parse(...given));
  Object.assign(JSON, { parse: count });
  try {
    const { reports } = await world.loop(["--max-ticks", "3"]);
    expect(reports.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => "SUCCESS"));
    return parsed;
  } finally {
    Object.assign(JSON, { parse });
  }
}

test("a tick after a thousand others reads no more lines than one after fifty", async () => {
  await inLoopWorld(
    {
      plans: PLANS,
      config: {
        budgets: {
          per_milestone: {
            max_ticks: 5000,
            max_orchestrator_calls: 5000,
            max_builder_calls: 5000,
            max_verify_runs: 50_000,
          },
        },
      },
    },
    async (world) => {
      await world.loop(["--max-ticks", "1"]);
      lengthen(world, 50);
      const early = await countParsed(world);
      lengthen(world, 950);
      const late = await countParsed(world);
      // The lengthened journal has thousands of lines more.
      expect(late).toBeLessThan(early + 500);
    },
  );
}, 300_000);
