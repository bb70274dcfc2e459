import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FuzzTarget } from "../target.ts";
import { foldEnd, foldLines } from "../../../src/records/folded-lines.ts";
import { AcceptedFold, RunsFold } from "../../../src/journal/pure/journal-runs.ts";
import { RateLimitFold } from "../../../src/journal/pure/rate-limit.ts";
import { WorkspaceFold } from "../../../src/journal/pure/workspace-state.ts";
import { SeriesFold } from "../../../src/workflows/pure/last-series.ts";
import { listJournaledRepositories, recallRepository } from "../../../src/journal/remembered-repository.ts";
import { journalOf } from "../../../test/support/journals.ts";

const KINDS = [WorkspaceFold, SeriesFold, AcceptedFold, RunsFold, RateLimitFold];
const LINES = journalOf([{}, { kind: "goingOn" }, { kept: 3 }]);
const REPOSITORY = { kind: "repository", root: "/r", gitDir: "/r/.git", commonDir: "/r/.git", gitFile: false };

/** What one command leaves for the next, so that it need not read a long journal: only a cache, whoever wrote it. */
export const remembered: FuzzTarget = {
  name: "remembered",
  seeds: () => [
    ...KINDS.map((kind) => Buffer.from(foldLines(LINES).fold<InstanceType<typeof kind>>(kind).save())),
    Buffer.from(JSON.stringify(REPOSITORY)),
  ],
  words: ["milestone", "series", "budgets", "places", "runs", "limit", "isCut", "newestAt", "null", "take"],
  check: async (data) => {
    const text = data.toString("utf8");
    for (const kind of KINDS) checkFold(kind, text);
    await checkRepositories(data);
  },
};

type AnyFold = (typeof KINDS)[number];

/** It is believed, or all lines are read. Where it is what was saved, both are the same. */
function checkFold(kind: AnyFold, text: string): void {
  const readAll = () => LINES;
  const end = { recent: LINES.slice(-3), older: [], folds: { [kind.name]: text }, readAll, readSeries: readAll };
  const fold = foldEnd(end).fold<InstanceType<AnyFold>>(kind);
  assert(fold instanceof kind);
  const whole = foldLines(LINES).fold<InstanceType<AnyFold>>(kind);
  if (whole.save() === text) assert.equal(fold.save(), text, "another state than was saved");
}

async function checkRepositories(data: Buffer): Promise<void> {
  const box = mkdtempSync(join(tmpdir(), "relais-fuzz-"));
  try {
    const folder = join(box, "relais", "r-1");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "repository.json"), data);
    writeFileSync(join(folder, "journal.jsonl"), data);
    const environment = { XDG_STATE_HOME: box };
    for (const { root, name } of await listJournaledRepositories(environment)) assert(root !== "" && name === "r-1");
    const found = await recallRepository("/r/x", environment);
    assert(found === null || "/r/x".startsWith(found.root), "another repository");
  } finally {
    rmSync(box, { recursive: true });
  }
}
