/** What is published about a tick is what its journal says. */
import type { Report } from "../../../../src/records/report.ts";
import { buildReport } from "../../../../src/tick/pure/build-report.ts";
import { findReportable } from "../../../../src/tick/pure/tick-facts.ts";
import { getWorld } from "../stage.ts";

const SHA = "0".repeat(64);
const PATHS = { historyDir: null, diffPatch: null, verifyLog: null, reportMd: null };

export async function publishProjections({ report }: { readonly report: Report }): Promise<object> {
  const world = getWorld();
  // In one world of four: it takes as long as the report itself.
  if (world.plan.seed % 4 !== 1) return { reportSha256: SHA, problems: [] };
  const state = findReportable(world.watch.tickOf(report.run_id)?.state ?? { phase: "start" });
  if (state === null) throw world.fail("a report of a tick that has no outcome");
  const { run_id: runId, series_id: seriesId, started_at: startedAt, ended_at: endedAt, budgets } = report;
  const times = { startedAt, endedAt, durationMs: report.duration_ms };
  const again = buildReport({ runId, seriesId, state, ...times, budgets, paths: PATHS });
  if (describe(again) !== describe(report)) world.fail(`a report that the journal does not tell: ${describe(report)}`);
  return { reportSha256: SHA, problems: [] };
}

/** Without the places of files. */
function describe({ pointers: _pointers, diff: _diff, verification, ...report }: Report): string {
  return JSON.stringify([report, verification.runs]);
}

export const publishLines = (): Promise<readonly string[]> => Promise.resolve([]);
export const publishState = (): Promise<readonly string[]> => Promise.resolve([]);
export const publishHistory = (): Promise<object> => Promise.resolve({ files: [], problems: [] });
