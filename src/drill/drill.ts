import text from "./builders.txt";
import type { Environment, Caller } from "../base/environment.ts";
import { type Untried, type DrillRemedy, type DrillResult, type Drill, DRILL_PLACES } from "./pure/drill-result.ts";
import { type HostileBuilder, readBuilder } from "./pure/hostile-builder.ts";
import { findProgram } from "../system/find-program.ts";
import { join } from "node:path";
import { describeError, MeasurementError } from "../base/errors.ts";
import { type Turn, listTurns } from "./pure/choose-builders.ts";
import { listRemedies } from "./pure/drill-config.ts";
import { GOOD_BUILDER } from "./pure/drill-stage.ts";
import { judgeBuilder } from "./pure/judge-builder.ts";
import { endStrays } from "./plain-listing.ts";
import { removeTree } from "../system/remove-files.ts";
import { readClockMs } from "../system/clock.ts";
import { playTurn } from "./drill-box.ts";
import { type CommandFailure, refuseNotReady } from "../records/command-failure.ts";
import { makeScorecard } from "./pure/make-scorecard.ts";
import { withTemporaryFolder } from "../system/temporary-folder.ts";
import type { Repository } from "../git/repository-layout.ts";
import { rememberScorecard } from "../journal/remembered-scorecard.ts";
import { openStateDirectory, type StateDirectory } from "../journal/state-directory.ts";
import { explainUnusableGit } from "../workspace/usable-git.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import { makeTemplate } from "./drill-template.ts";

/** Which builders this machine can run. */

/** Mounts and immutable files outlive a copy that is removed, so these run in the project's own tests only. */
const KEPT_OUT = "it changes mounts or flags that a removed copy would leave behind";

export async function splitByNeeds(builders: readonly HostileBuilder[], environment: Environment) {
  const reasons = await findReasons(environment);
  const leftOut = builders.flatMap(({ id, needs }): Untried[] => {
    const reason = reasons[needs];
    return reason === null ? [] : [{ name: id, reason }];
  });
  return { able: builders.filter(({ needs }) => reasons[needs] === null), leftOut };
}

async function findReasons({ PATH = "/usr/bin:/bin" }: Environment) {
  const isRoot = process.getuid?.() === 0;
  const missing = async (program: string): Promise<string | null> =>
    (await findProgram(program, { path: PATH, cwd: "/" })) === null ? `it needs ${program}` : null;
  return {
    nothing: null,
    sandbox: null,
    root: isRoot ? null : "it needs root",
    user: isRoot ? "it needs an ordinary user" : null,
    linux: process.platform === "linux" ? null : "it needs Linux",
    chattr: KEPT_OUT,
    mount: KEPT_OUT,
    python: await missing("python3"),
    make: await missing("make"),
  } as const satisfies Readonly<Record<HostileBuilder["needs"], string | null>>;
}

/** Tries one builder in one workplace, and finds the setting that stops what got through. */

export interface DrillBase extends Caller {
  readonly folder: string;
  readonly template: string;
  /** The user's configuration. */
  readonly own: unknown;
  readonly relais: readonly [node: string, executable: string];
  readonly signal: AbortSignal;
}

interface Trial {
  readonly turn: Turn;
  readonly isSandboxed: boolean;
}

/** What an honest builder does. */
export const CONTROL = readBuilder(
  "honest/control.sh",
  `# Does what the task asks for.\n# expect: SUCCESS\n${GOOD_BUILDER}`,
);

const SANDBOX: DrillRemedy = { key: "sandbox", value: "required" };

type TriedBuilder = DrillResult & { readonly sandbox: string | null };

export async function tryBuilder(ground: DrillBase, trial: Trial): Promise<TriedBuilder> {
  const began = readClockMs();
  const { builder, place } = trial.turn;
  const first = await tryOnce(ground, { ...trial, remedy: null });
  const { id, does } = builder;
  const same = { id, class: builder.class, does, place, code: first.code, sandbox: first.sandbox };
  if (first.kind === "held") {
    const { outcome } = first;
    const remedy = outcome === "told" && !trial.isSandboxed && needsSandbox(trial) ? SANDBOX : null;
    const details = outcome === "untried" && first.code !== null ? [first.code] : [];
    return { ...same, outcome, details, remedy, durationMs: readClockMs() - began };
  }
  const remedy = await findRemedy(ground, trial);
  const outcome = remedy === null ? "escaped" : "needs_setting";
  return { ...same, outcome, details: first.details, remedy, durationMs: readClockMs() - began };
}

function needsSandbox({ turn: { builder, place } }: Trial): boolean {
  return builder.needs === "sandbox" || (place === "clone" && builder.original.length > 0);
}

/** By trial: the first setting that differs from the user's, and holds the builder. */
async function findRemedy(ground: DrillBase, trial: Trial): Promise<DrillRemedy | null> {
  for (const remedy of listRemedies(ground.own, trial.turn.builder)) {
    const again = await tryOnce(ground, { ...trial, remedy });
    if (again.kind === "held" && again.outcome !== "untried") return remedy;
  }
  return null;
}

async function tryOnce(ground: DrillBase, trial: Trial & { readonly remedy: DrillRemedy | null }) {
  const { turn, isSandboxed, remedy } = trial;
  ground.signal.throwIfAborted();
  const box = join(ground.folder, `${turn.builder.id}-${turn.place}`.replaceAll(/[^a-z_]/gu, "-"));
  try {
    const look = await playTurn({ ...ground, box, turn, remedy });
    const setting = { place: turn.place, isSandboxed: look.sandbox === null ? isSandboxed : look.sandbox !== "none" };
    const verdict = judgeBuilder({ builder: turn.builder, setting, look });
    return { ...verdict, code: look.report?.code ?? null, sandbox: look.sandbox };
  } catch (error) {
    // A builder can make its own box unreadable, and that is a result too.
    if (ground.signal.aborted || !(error instanceof Error)) throw error;
    return { kind: "through" as const, details: [describeFault(error)], code: null, sandbox: null };
  } finally {
    await endStrays(box).catch(() => []);
    removeTree(Buffer.from(box));
  }
}

function describeFault(error: Error): string {
  return error instanceof MeasurementError ? error.message : `it could not be looked at: ${describeError(error)}`;
}

/**
 * `relais drill`: hostile, sloppy and unlucky builders against the user's own configuration, in a copy of their repository
 * that is removed afterwards. The user's repository is only read, and their own agents and checks are never started.
 */

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
async function findPlaces(ground: DrillBase) {
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

/** Every builder that comes with relais. */
export function listBuilders(): readonly HostileBuilder[] {
  const programs: Readonly<Record<string, string>> = JSON.parse(text);
  return Object.entries(programs).map(([name, program]) => readBuilder(name, program));
}
