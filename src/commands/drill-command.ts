import { type DrillResult, type Drill, countByClass, isHeld } from "../drill/pure/drill-result.ts";
import { DRILL_OPENING, renderDrillLine, renderDrillProgress, renderDrill } from "../cards/drill-text.ts";
import { type Screen, type Session, type CommandEnd, refuseMisuse, type RunCommand } from "../terminal/command.ts";
import type { HostileBuilder } from "../drill/pure/hostile-builder.ts";
import { BUILDER_CLASSES } from "../drill/pure/builder-class.ts";
import { findNearestName } from "../base/nearest-name.ts";
import { runDrill, listBuilders } from "../drill/drill.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { showProgressLine } from "../terminal/painter.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import type { Options } from "../terminal/option-spec.ts";
import type { DrillOptions } from "./drill-spec.ts";

/** What is shown while the drill runs: one line that is drawn again on a terminal, a line for each builder elsewhere. */

interface DrillWatch {
  readonly onStart: (turns: number) => void;
  readonly onResult: (result: DrillResult) => void;
  readonly close: () => void;
}

export function watchDrill(session: Session): DrillWatch {
  const { json, detail, isPlain, screen, err } = session;
  if (detail === "quiet" || (json && detail !== "all"))
    return { onStart: () => {}, onResult: () => {}, close: () => {} };
  if (!json && !isPlain && screen !== null) return drawDrill(session, screen);
  err(`${DRILL_OPENING}\n`);
  return {
    onStart: (turns) => err(`${turns} ticks, one for each builder in each workplace\n`),
    onResult: (result) => err(`${renderDrillLine(result)}\n`),
    close: () => {},
  };
}

function drawDrill(session: Session, screen: Screen): DrillWatch {
  const state: { done: number; turns: number; last: DrillResult | null } = { done: 0, turns: 0, last: null };
  const line = showProgressLine(session, screen, () => renderDrillProgress(state.done, state.turns, state.last));
  return {
    onStart: (turns) => {
      state.turns = turns;
      line.redraw();
    },
    onResult: (result) => {
      state.done += 1;
      state.last = result;
      line.redraw();
    },
    close: line.close,
  };
}

/** With the end of the last builders, within a minute. */
const SAMPLE_MS = 45_000;
const ESCAPED_STATUS = 10;
const INTERRUPTED_STATUS = 130;

export const drill: RunCommand<DrillOptions> = async ({ options }, session) => {
  const known = listBuilders();
  const ids = options.list("case");
  const unknown = ids.find((id) => !known.some((builder) => builder.id === id));
  if (unknown !== undefined) return refuseUnknown(known, unknown);
  const isUnlimited = options.flag("all") || ids.length > 0;
  const watch = watchDrill(session);
  const end = await runDrill({
    ...session,
    builders: chooseBuilders(known, options),
    isWhole: ids.length === 0 && options.choice("class") === null,
    limitMs: isUnlimited ? null : SAMPLE_MS,
    onStart: watch.onStart,
    onResult: watch.onResult,
  });
  watch.close();
  if (end.kind === "stopped") return printStopped(session);
  if (end.kind !== "drilled") return printFailure(end, session);
  const isStrict = options.flag("strict");
  const ok = isHeld(end.drill.results, isStrict);
  return printAnswer(
    {
      document: makeDrillDocument(end.drill, ok),
      text: () => renderDrill(end.drill, { ...session.prose, isStrict, isVerbose: session.detail === "all" }),
      status: ok ? 0 : ESCAPED_STATUS,
      isAsked: true,
    },
    session,
  );
};

function chooseBuilders(known: readonly HostileBuilder[], options: Options<DrillOptions>): readonly HostileBuilder[] {
  const [ids, name] = [options.list("case"), options.choice("class")];
  if (ids.length > 0) return known.filter(({ id }) => ids.includes(id));
  return name === null ? known : known.filter((builder) => builder.class === name);
}

function refuseUnknown(known: readonly HostileBuilder[], id: string): CommandEnd {
  const names = known.map((builder) => builder.id);
  const nearest = findNearestName(id, names);
  if (nearest !== null) return refuseMisuse(`there is no builder ${id}; did you mean "${nearest}"?`);
  return refuseMisuse(`there is no builder ${id}: it is CLASS/NAME, with a class of ${BUILDER_CLASSES.join(", ")}`);
}

function printStopped({ json, out, err }: Session): CommandEnd {
  if (json) out(`${JSON.stringify({ ok: false, message: "the drill was stopped" })}\n`);
  else err("relais: the drill was stopped; its copies are removed.\n");
  return { kind: "ended", status: INTERRUPTED_STATUS };
}

function makeDrillDocument({ places, results, leftOut, notReached, files, durationMs }: Drill, ok: boolean): object {
  return {
    ok,
    duration_ms: durationMs,
    places,
    files,
    classes: countByClass(results).map(({ class: name, total, counts }) => ({ class: name, total, ...counts })),
    results: results.map(makeResultDocument),
    left_out: leftOut,
    not_reached: notReached,
  };
}

function makeResultDocument({ durationMs, remedy, ...result }: DrillResult): object {
  const { id, class: name, does, place, outcome, code, details } = result;
  const setting = remedy === null ? null : { key: remedy.key, value: remedy.value ?? null };
  return { id, class: name, does, place, outcome, code, details, setting, duration_ms: durationMs };
}
