/**
 * `relais drill`: hostile, sloppy and unlucky builders against the user's own configuration, in a copy of their repository
 * that is removed afterwards. The user's repository is only read, and their own agents and checks are never started.
 */
import { join } from "node:path";
import { type CommandFailure, refuseNotReady } from "../records/command-failure.ts";
import type { Caller } from "../base/environment.ts";
import { listTurns } from "./pure/choose-builders.ts";
import { type Drill, DRILL_PLACES, type DrillResult, type Untried } from "./pure/drill-result.ts";
import { makeScorecard } from "./pure/make-scorecard.ts";
import type { HostileBuilder } from "./pure/hostile-builder.ts";
import { withTemporaryFolder } from "../system/temporary-folder.ts";
import type { Repository } from "../git/repository-layout.ts";
import { readClockMs } from "../system/clock.ts";
import { rememberScorecard } from "../journal/remembered-scorecard.ts";
import { openStateDirectory, type StateDirectory } from "../journal/state-directory.ts";
import { explainUnusableGit } from "../workspace/usable-git.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { splitByNeeds } from "./builder-needs.ts";
import { makeTemplate } from "./drill-template.ts";
import { type DrillGround, CONTROL, tryBuilder } from "./try-builder.ts";

export interface DrillRequest extends Caller {
  readonly builders: readonly HostileBuilder[];
  /** Whether no builder was left out by choice: its scorecard is remembered. */
  readonly isWhole: boolean;
  /** No builder begins after this long; null for as long as it takes. */
  readonly limitMs: number | null;
  readonly relais: readonly [node: string, executable: string];
  readonly signal: AbortSignal;
  /** Called with the number of turns: a builder in a workplace. */
  readonly onStart: (turns: number) => void;
  readonly onResult: (result: DrillResult) => void;
}

export type DrillEnd =
  { readonly kind: "drilled"; readonly drill: Drill } | { readonly kind: "stopped" } | CommandFailure;

/** How many builders work at the same time: they wait for each other's disks, and much of the time for a clock. */
const LANES = 2;

export async function runDrill(request: DrillRequest): Promise<DrillEnd> {
  try {
    return await withSnapshot(request, async ({ repository, configFile }): Promise<DrillEnd> => {
      if (configFile.kind === "unusable")
        return { ...refuseNotReady(configFile.cause, configFile.message), problems: configFile.problems };
      const unusable = await explainUnusableGit(repository.root, request.environment);
      if (unusable !== null) return unusable;
      const own: unknown = configFile.kind === "config" ? JSON.parse(configFile.text) : {};
      const end = await withTemporaryFolder(request.environment, (folder) =>
        drillIn(folder, { ...request, own, repository }),
      );
      if (end.kind === "drilled" && request.isWhole)
        await remember(end.drill, openStateDirectory(repository, request.environment));
      return end;
    });
  } catch (error) {
    if (request.signal.aborted) return { kind: "stopped" };
    throw error;
  }
}

/** A repository may have no state directory yet; without one that can be used, only a memory is lost. */
async function remember(drill: Drill, state: StateDirectory): Promise<void> {
  if (state.kind === "unusable") return;
  await rememberScorecard(state.path, makeScorecard(drill, new Date(readClockMs()).toISOString()));
}

interface Opened extends DrillRequest {
  readonly own: unknown;
  readonly repository: Repository;
}

async function drillIn(folder: string, request: Opened): Promise<DrillEnd> {
  const began = readClockMs();
  const template = join(folder, "template");
  const files = await makeTemplate(request.repository, template, request);
  const ground = { ...request, folder, template };
  const { able, leftOut } = await splitByNeeds(request.builders, request.environment);
  const places = await findPlaces(ground);
  if (places.usable.length === 0) return refuseAll(places.leftOut);
  const sandboxes = new Map(places.usable.map(({ place, sandbox }) => [place, sandbox]));
  const turns = listTurns(able, [...sandboxes.keys()]);
  request.onStart(turns.length);
  const isOver = (): boolean => request.limitMs !== null && readClockMs() - began >= request.limitMs;
  const results: DrillResult[] = [];
  const waiting = turns.values();
  const work = async (): Promise<void> => {
    while (!isOver()) {
      request.signal.throwIfAborted();
      const next = waiting.next();
      if (next.done === true) return;
      const isSandboxed = sandboxes.get(next.value.place) !== "none";
      const result = await tryBuilder(ground, { turn: next.value, isSandboxed });
      results.push(result);
      request.onResult(result);
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, work));
  for (const lane of lanes) if (lane.status === "rejected") throw lane.reason;
  const drill: Drill = {
    places: places.usable,
    results,
    leftOut: [...places.leftOut, ...leftOut],
    notReached: turns.length - results.length,
    files,
    durationMs: readClockMs() - began,
  };
  return { kind: "drilled", drill };
}

/** An honest builder shows which workplaces there are, and what is around them. */
async function findPlaces(ground: DrillGround) {
  const usable: Drill["places"][number][] = [];
  const leftOut: Untried[] = [];
  for (const place of DRILL_PLACES) {
    const { outcome, code, details, sandbox } = await tryBuilder(ground, {
      turn: { builder: CONTROL, place },
      isSandboxed: true,
    });
    if (sandbox !== null && outcome !== "untried") usable.push({ place, sandbox });
    else leftOut.push({ name: place, reason: details[0] ?? code ?? "there is no report" });
  }
  return { usable, leftOut };
}

function refuseAll(leftOut: readonly Untried[]): CommandFailure {
  const message = "No tick starts with this configuration, not even that of an honest builder.";
  const problems = leftOut.map(({ name, reason }) => `${name}: ${reason}`);
  return { ...refuseNotReady("drill_blocked", message, "Run `relais doctor`."), problems };
}
