/**
 * Journals, evidence and configurations that earlier versions wrote, read by this one. Whatever was recorded is said
 * again: each answer of the version that wrote a history is part of the answer that is given today.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/contract/config/parse-config.ts";
import { readJournal } from "../../src/io/journal/read-journal.ts";
import { renderJournalText } from "../../src/io/journal/journal-text.ts";
import { listTickRecords } from "../../src/core/tick/tick-records.ts";
import { changedDefaults } from "./changed-defaults.ts";
import {
  documentsIn,
  HISTORIES,
  type RecordedHistory,
  restoreHistory,
  VERSION_FOLDERS,
  withoutStateName,
} from "./restored-history.ts";

const Answers = v.array(
  v.object({ args: v.array(v.string()), status: v.nullable(v.number()), documents: v.array(v.unknown()) }),
);

/** What depends on the moment or the machine, and sentences that each version words by itself. */
const NOT_RECORDED = ["seconds_ago", "plan_trouble", "message", "remedy", "result", "review_report"];

function answersOf({ folder }: RecordedHistory) {
  const text = withoutStateName(readFileSync(join(folder, "answers.json"), "utf8"));
  return v.parse(
    Answers,
    JSON.parse(text, (key, value: unknown) => (NOT_RECORDED.includes(key) ? undefined : value)),
  );
}

test("every workflow and every end of a tick that a version can record is there", () => {
  expect(HISTORIES.map(({ id }) => id)).toEqual(
    expect.arrayContaining(
      ["campaign", "committed", "goal", "interrupted", "loop", "recovered", "relay", "tree"].map(
        (name) => `0.1.0/${name}`,
      ),
    ),
  );
});

const Capped = v.looseObject({ budgets: v.looseObject({ caps: v.unknown() }) });

function withoutCaps(document: unknown): unknown {
  const read = v.safeParse(Capped, document);
  if (!read.success) return document;
  const { caps: _caps, ...budgets } = read.output.budgets;
  return { ...read.output, budgets };
}

describe.each(HISTORIES)("$id", (history) => {
  test("every line is read, folded, and written again as it was", async () => {
    const path = join(history.folder, "state/journal.jsonl");
    const read = await readJournal(path);
    if (read.kind !== "read") throw new Error(JSON.stringify(read));
    expect(read.torn).toHaveLength(0);
    expect(read.lines.map((line) => `${renderJournalText(line).text}\n`).join("")).toBe(readFileSync(path, "utf8"));
    const ended = read.lines.flatMap(({ run_id, event }) =>
      event.type === "tick_ended" ? [[run_id, event.code, event.cause]] : [],
    );
    const folded = listTickRecords(read.lines).flatMap(({ runId, state }) =>
      state.phase === "done" ? [[runId, state.outcome.code, state.outcome.cause]] : [],
    );
    expect(folded).toEqual(ended);
  });

  test("what is said of it is what was said then", async () => {
    const restored = await restoreHistory(history);
    for (const { args, status, documents } of answersOf(history)) {
      const said = await restored.relais(...args, "--json");
      const now = documentsIn(said.out, restored, history.name);
      // The caps are those of today's configuration, and a changed default is named in the changelog.
      expect({ args, status: said.status, documents: now.map(withoutCaps) }).toMatchObject({
        args,
        status,
        documents: documents.map(withoutCaps),
      });
    }
  });

  test("what is shown to a person needs no more than that", async () => {
    const restored = await restoreHistory(history);
    for (const { args, status } of answersOf(history)) {
      const said = await restored.relais(...args);
      expect({ args, status: said.status, isSaid: (said.out + said.err).trim() !== "" }).toEqual({
        args,
        status,
        isSaid: true,
      });
    }
  });
});

test("every tick that was judged is judged again with the same end", async () => {
  for (const history of HISTORIES.filter(({ name }) => name !== "interrupted")) {
    const restored = await restoreHistory(history);
    const { status, out } = await restored.relais("history", "replay", "--json");
    expect({ id: history.id, status, out }).toMatchObject({ id: history.id, status: 0 });
  }
});

const CONFIGURATIONS = VERSION_FOLDERS.flatMap((folder) =>
  readdirSync(join(folder, "configurations")).map((name) => ({
    id: join(folder, name).slice(import.meta.dirname.length + 1),
    path: join(folder, "configurations", name),
  })),
);

test.for(CONFIGURATIONS)("$id is a configuration still, and means the same", ({ path }) => {
  const { document, reads_as } = v.parse(
    v.object({ document: v.unknown(), reads_as: v.unknown() }),
    JSON.parse(readFileSync(path, "utf8")),
  );
  const parsed = parseConfig(document);
  if (parsed.kind === "invalid") throw new Error(JSON.stringify(parsed.problems));
  expect(changedDefaults(reads_as, parsed.value)).toEqual([]);
});
