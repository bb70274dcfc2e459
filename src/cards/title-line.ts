/** What runs, and how far it has come. */
import { neutralise } from "../base/neutralise.ts";
import { formatClock, type FrameLine, makeSpan, spreadCells, type PartPlace } from "./frame-line.ts";
import type { LiveModel } from "./live-model.ts";

const ROOM_FOR_ID = 90;

export function renderTitleLine(model: LiveModel, { columns, now }: PartPlace): FrameLine {
  const { seriesId, tick } = model;
  const id = seriesId === null || columns < ROOM_FOR_ID ? [] : [makeSpan(`  ${neutralise(seriesId)}`, "faint")];
  const left = [
    makeSpan(`relais ${neutralise(findCommand(model))}`, "strong"),
    makeSpan(`  ${describeProgress(model)}`),
    ...id,
  ];
  return tick === null ? left : spreadCells(left, [makeSpan(formatClock(now - tick.startedMs), "strong")], columns);
}

function findCommand({ command, options }: LiveModel): string {
  return command ?? options?.command ?? "run";
}

/** Which one of how many it is, in the words of the workflow. */
export function describeProgress(model: LiveModel): string {
  return describeGoal(model) ?? describeCampaign(model) ?? describeTree(model) ?? describeTick(model);
}

function describeGoal({ goal }: LiveModel): string | null {
  if (goal?.settings == null) return null;
  const { isReviewDue, turns, settings } = goal;
  const turn = Math.max(1, isReviewDue ? turns : Math.min(settings.max_turns, turns + 1));
  return `turn ${turn} of ${settings.max_turns}, ${isReviewDue ? "review" : "work"}`;
}

function describeCampaign({ campaign }: LiveModel): string | null {
  if (campaign?.settings == null) return null;
  const { due, iteration, settings } = campaign;
  const isVerified = due.length > 0;
  const at = isVerified ? iteration : Math.min(settings.max_iterations, iteration + 1);
  return `iteration ${at} of ${settings.max_iterations}, ${isVerified ? "verification" : "work"}`;
}

function describeTree(model: LiveModel): string | null {
  if (model.tree === null) return null;
  return `iteration ${Math.min(model.tree.maxIterations, countTick(model))} of ${model.tree.maxIterations}`;
}

function describeTick(model: LiveModel): string {
  const { options, tick, isOver } = model;
  if (options === null) return tick === null && !isOver ? "starting" : "one tick";
  const limit = options.max_ticks === null ? "" : ` of ${options.max_ticks}`;
  return `tick ${countTick(model)}${limit}`;
}

/** The number of the tick that runs, or else of the last one. */
function countTick({ ticks, tick, seriesId }: LiveModel): number {
  return Math.max(1, tick !== null && tick.seriesId === seriesId ? ticks + 1 : ticks);
}
