/** Tries one builder in one workplace, and finds the setting that stops what got through. */
import { join } from "node:path";
import type { Caller } from "../base/environment.ts";
import { describeError } from "../base/describe-error.ts";
import { MeasurementError } from "../base/measurement-error.ts";
import type { Turn } from "./pure/choose-builders.ts";
import { listRemedies } from "./pure/drill-config.ts";
import type { DrillRemedy, DrillResult } from "./pure/drill-result.ts";
import { GOOD_BUILDER } from "./pure/drill-stage.ts";
import { readBuilder } from "./pure/hostile-builder.ts";
import { judgeBuilder } from "./pure/judge-builder.ts";
import { endStrays } from "./strays.ts";
import { removeTree } from "../system/remove-tree.ts";
import { readClockMs } from "../system/clock.ts";
import { playTurn } from "./drill-box.ts";

export interface DrillGround extends Caller {
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

export async function tryBuilder(ground: DrillGround, trial: Trial): Promise<TriedBuilder> {
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
async function findRemedy(ground: DrillGround, trial: Trial): Promise<DrillRemedy | null> {
  for (const remedy of listRemedies(ground.own, trial.turn.builder)) {
    const again = await tryOnce(ground, { ...trial, remedy });
    if (again.kind === "held" && again.outcome !== "untried") return remedy;
  }
  return null;
}

async function tryOnce(ground: DrillGround, trial: Trial & { readonly remedy: DrillRemedy | null }) {
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
