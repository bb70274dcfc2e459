/**
 * Draws what is known as lines for a terminal: pure, never more lines than rows, never a line wider than the columns.
 *
 * What matters most is kept where there is little room: first what runs and at which step, then what waits for a person,
 * then what happens right now, and the rest as far as it goes.
 */
import { findTask } from "../tick/pure/tick-facts.ts";
import { neutralise } from "../base/neutralise.ts";
import { joinLines } from "./report-words.ts";
import { renderActivityRows } from "./activity-rows.ts";
import { renderBudgetRows } from "./budget-rows.ts";
import { type FrameLine, renderLine, makeRow, makeSpan, type FramePlace } from "./frame-line.ts";
import { renderKeyRows } from "./key-rows.ts";
import type { LiveModel } from "./live-model.ts";
import { renderNoticeRows } from "./notice-rows.ts";
import { renderPhaseStrip } from "./phase-strip.ts";
import { renderSmallFrame } from "./small-frame.ts";
import { renderStoryRows } from "./story-rows.ts";
import { renderTimeRows } from "./time-row.ts";
import { renderTitleLine } from "./title-line.ts";
import { renderTreeRows } from "./tree-rows.ts";
import { renderVerdictRows } from "./verdict-rows.ts";

const COLUMNS_MIN = 40;
/** Beyond this the eye does not find the other end of a line. */
const COLUMNS_MAX = 120;
const ROWS_MIN = 8;
/** Explanations of keys must leave this much of the frame. */
const KEYED_ROWS_MIN = 7;
/** Further ones are in the history. */
const VERDICTS_MAX = 4;
/** More of a tree or of stories than this is no glance any more. */
const OUTLINE_MAX = 24;

export function renderFrame(model: LiveModel, place: FramePlace): readonly string[] {
  const { rows, style } = place;
  const columns = Math.min(COLUMNS_MAX, place.columns);
  const isSmall = columns < COLUMNS_MIN || rows < ROWS_MIN;
  const lines = isSmall ? renderSmallFrame(model, place) : renderFrameWithKeys(model, { ...place, columns });
  return lines.slice(0, Math.max(0, rows)).map((line) => renderLine(line, columns, style));
}

/** The keys stand in the last lines, below a gap where there is room for one. */
function renderFrameWithKeys(model: LiveModel, place: FramePlace): readonly FrameLine[] {
  const { rows, columns, keys = null } = place;
  const last = keys === null ? [] : renderKeyRows(keys, columns);
  const keyRows = rows - last.length < KEYED_ROWS_MIN ? last.slice(0, 1) : last;
  const lines = renderWholeFrame(model, { ...place, rows: rows - keyRows.length });
  const hasRoom = keyRows.length > 0 && lines.length + keyRows.length < rows;
  return [...lines, ...(hasRoom ? [BLANK] : []), ...keyRows];
}

/** A part of the frame, in the order in which it is shown; the one with the lowest rank gets its room first. */
interface Part {
  readonly rank: number;
  readonly lines: readonly FrameLine[];
  /** How many of its lines it has to have before anybody gets more. */
  readonly least: number;
}

function renderWholeFrame(model: LiveModel, place: FramePlace): readonly FrameLine[] {
  const { rows } = place;
  const outline = [...renderTreeRows(model, place, OUTLINE_MAX), ...renderStoryRows(model, place, OUTLINE_MAX)];
  const parts: readonly Part[] = [
    { rank: 0, least: 2, lines: renderHead(model, place) },
    { rank: 1, least: 3, lines: renderNoticeRows(model, place) },
    { rank: 4, least: 1, lines: renderTask(model, place) },
    { rank: 2, least: 1, lines: renderActivityRows(model, place) },
    { rank: 3, least: 1, lines: renderTimeRows(model, place) },
    { rank: 5, least: 4, lines: outline },
    { rank: 7, least: 1, lines: renderBudgetRows(model, place) },
    { rank: 6, least: 1, lines: renderVerdictRows(model, place).slice(0, VERDICTS_MAX) },
    { rank: 8, least: 1, lines: renderJobs(model, place) },
  ];
  const room = shareRows(parts, rows);
  const fitted = parts.map(({ lines }, index) => {
    const given = room[index] ?? 0;
    if (lines !== outline || given >= lines.length) return lines.slice(0, given);
    return [...renderTreeRows(model, place, given), ...renderStoryRows(model, place, given)];
  });
  return addGaps(fitted, rows);
}

function renderHead(model: LiveModel, place: FramePlace): readonly FrameLine[] {
  const { tick } = model;
  const strip = tick === null ? [] : [renderPhaseStrip(tick.state, place.columns)];
  return [renderTitleLine(model, place), ...strip];
}

/** The running jobs of the queue, on all machines. */
function renderJobs({ jobs }: LiveModel, { columns }: FramePlace): readonly FrameLine[] {
  return jobs.map((job, at) => makeRow(at === 0 ? "jobs" : "", [makeSpan(neutralise(job))], columns));
}

const TEXT_CHARS = 400;

/** What the tick is about; of a goal, what all of it is about. */
function renderTask({ tick, goal }: LiveModel, { columns }: FramePlace): readonly FrameLine[] {
  const textRow = (label: string, text: string): readonly FrameLine[] => [
    makeRow(label, [makeSpan(joinLines(text.slice(0, TEXT_CHARS)))], columns),
  ];
  const settings = goal?.settings ?? null;
  if (settings !== null) return textRow("goal", settings.objective);
  const task = tick === null ? null : findTask(tick.state);
  return task === null ? [] : textRow("task", task.intent ?? task.task_id);
}

/** How many lines each part gets: first all their least, by rank, and then the rest, by rank. */
function shareRows(parts: readonly Part[], rows: number): readonly number[] {
  const given = parts.map(() => 0);
  let left = rows;
  const byRank = parts.map((part, index) => ({ ...part, index })).toSorted((a, b) => a.rank - b.rank);
  for (const wanted of [(part: Part) => part.least, (part: Part) => part.lines.length])
    for (const part of byRank) {
      const has = given[part.index] ?? 0;
      const more = Math.min(left, Math.max(0, Math.min(part.lines.length, wanted(part)) - has));
      given[part.index] = has + more;
      left -= more;
    }
  return given;
}

const BLANK: FrameLine = [];

/** An empty line before all of it and between what belongs to different questions, where there is room for all of them. */
function addGaps(fitted: readonly (readonly FrameLine[])[], rows: number): readonly FrameLine[] {
  const [head = [], ...rest] = fitted;
  const now = rest.slice(0, 4).flat();
  const groups = [head, now, ...rest.slice(4)].filter((group) => group.length > 0);
  const lines = groups.flat();
  if (lines.length + groups.length > rows) return lines;
  return groups.flatMap((group) => [BLANK, ...group]);
}
