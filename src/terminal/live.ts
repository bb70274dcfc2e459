import { describeError, InvariantError } from "../base/errors.ts";
import type { LiveKeyState } from "../cards/frame-line.ts";
import type { KeyHint } from "../base/key-line.ts";
import { printFailure, printWarning } from "./refusal-answer.ts";
import type { Session, Screen } from "./command.ts";
import { type LiveListener, type LiveEvent, CHECKS } from "../records/live-event.ts";
import { renderAgentEvent, renderAgentDoing } from "../cards/agent-event-text.ts";
import { renderFrame } from "../cards/frame.ts";
import { createLive } from "../cards/live-model.ts";
import { reduceLive } from "../cards/reduce-live.ts";
import { showFrame } from "./show-frame.ts";
import { describeAttempt, describeRecorded, describeSilence } from "../cards/recorded-words.ts";
import type { SeriesRequest, SeriesWatch } from "../workflows/series-loop.ts";
import { renderReportMarkdown } from "../cards/report-markdown.ts";
import { makeAskPerson } from "./ask-in-terminal.ts";
import { readVersion } from "./global-options.ts";
import { renderBeginning, renderTickLine, renderWait } from "../cards/series-text.ts";
import { printUnpublished } from "./print-answer.ts";
import { isInBackground } from "../process/proc-stat.ts";

/** The keys of a live view: they do what commands from another terminal do, and load it when a key is pressed. */

interface LiveKeysRequest {
  /** What was typed; null where another process runs it. */
  readonly command: string | null;
  readonly redraw: () => void;
}

export interface LiveKeys {
  readonly state: () => LiveKeyState;
  readonly close: () => void;
}

/** How long a second press counts. */
const AGAIN_MS = 5000;
const STOPPING = "stopping: the change is reverted, or its commit finished";
const ASK_STOP = "press s again to stop and revert the change";

interface Pressed {
  isPausing: boolean;
  isExplained: boolean;
  /** Runs out while a second press is waited for. */
  asked: NodeJS.Timeout | null;
}

/** Null where nobody can press a key. */
export function openLiveKeys(session: Session, request: LiveKeysRequest): LiveKeys | null {
  const { keyboard, signal } = session;
  if (keyboard === null) return null;
  const pressed: Pressed = { isPausing: false, isExplained: false, asked: null };
  const actions = makeActions(pressed, session, request);
  let last = Promise.resolve();
  const perform = async (key: string): Promise<void> => {
    const action = actions[key];
    if (action === undefined || signal.aborted) return;
    if (key !== "s") forgetStop(pressed);
    // A view decides nothing: whatever cannot be shown or asked does not fail the work.
    await action().catch((error: unknown) => printWarning(describeError(error), session));
    request.redraw();
  };
  const onKey = (key: string): void => {
    last = last.then(() => perform(key.toLowerCase()));
  };
  const end = keyboard.listen({ onKey });
  return {
    state: () => ({
      hints: signal.aborted ? [] : listHints(request.command, pressed.isPausing),
      notice: signal.aborted ? STOPPING : describePressed(pressed),
      isExplained: pressed.isExplained && !signal.aborted,
    }),
    close: () => {
      forgetStop(pressed);
      end();
    },
  };
}

type Actions = Readonly<Record<string, () => Promise<unknown>>>;

function makeActions(pressed: Pressed, session: Session, request: LiveKeysRequest): Actions {
  return {
    ...(request.command === "run" ? {} : { p: () => pause(pressed, session) }),
    s: () => stop(pressed, session, request),
    d: async () => (await import("./diff-answer.ts")).showDiff({ asked: null }, session),
    l: async () => (await import("./log-answer.ts")).showLog({ asked: null }, session),
    "?": async () => {
      pressed.isExplained = !pressed.isExplained;
    },
  };
}

async function pause(pressed: Pressed, session: Session): Promise<void> {
  const { requestPause, withdrawPause } = await import("../workspace/pause-runner.ts");
  const answer = pressed.isPausing ? await withdrawPause(session) : await requestPause(session);
  if (answer.kind === "pausing" || answer.kind === "resumed") pressed.isPausing = answer.kind === "pausing";
  else printFailure(answer, session);
}

async function stop(pressed: Pressed, session: Session, { command, redraw }: LiveKeysRequest): Promise<void> {
  if (pressed.asked === null) {
    const runOut = (): void => {
      pressed.asked = null;
      redraw();
    };
    pressed.asked = setTimeout(runOut, AGAIN_MS).unref();
    return;
  }
  forgetStop(pressed);
  if (command !== null) return session.keyboard?.interrupt();
  const { stopRunner } = await import("../workspace/stop-runner.ts");
  const answer = await stopRunner(session);
  if (answer.kind !== "stopped") printFailure(answer, session);
}

function forgetStop(pressed: Pressed): void {
  if (pressed.asked !== null) clearTimeout(pressed.asked);
  pressed.asked = null;
}

function describePressed({ asked, isPausing }: Pressed): string | null {
  if (asked !== null) return ASK_STOP;
  return isPausing ? "pauses after this tick" : null;
}

function listHints(command: string | null, isPausing: boolean): readonly KeyHint[] {
  return [
    ...(command === "run" ? [] : [["p", isPausing ? "go on" : "pause"] as const]),
    ["s", "stop"],
    ["d", "diff"],
    ["l", "log"],
    ["?", "help"],
  ];
}

/** Events within this time are drawn together. */
const DRAW_MS = 80;

type DrawingSession = Pick<Session, "stage" | "style" | "detail"> & { readonly screen: Screen };

interface Drawing {
  /** What was typed; null where another process runs it. */
  readonly command: string | null;
  /** How much of the terminal it may take; absent is all of it. */
  readonly share?: number;
  /** Opens the keys, if a person can press some. */
  readonly openKeys?: (redraw: () => void) => LiveKeys | null;
}

/** Draws the live view at the bottom of the terminal, from the first event until the stage is cleared. */
export function drawLive(session: DrawingSession, { command, share = 1, openKeys }: Drawing): LiveListener {
  const { screen, style, stage } = session;
  let model = createLive(command);
  let soon: NodeJS.Timeout | null = null;
  let show: (() => void) | null = null;
  let keys: LiveKeys | null = null;
  const render = (): readonly string[] => {
    const { columns, rows } = screen.size();
    const place = { columns, rows: Math.floor((rows - 1) * share), now: Date.now(), style };
    // While a held change is decided at this terminal, the question has the keys.
    const isAsked = command !== null && model.tick?.state.phase === "ask";
    return renderFrame(model, { ...place, keys: isAsked ? null : (keys?.state() ?? null) });
  };
  const draw = (): void => {
    if (soon !== null) clearTimeout(soon);
    soon = null;
    show?.();
  };
  const onClose = (): void => {
    show = null;
    keys?.close();
    if (soon !== null) clearTimeout(soon);
  };
  const begin = (): void => {
    keys = openKeys?.(draw) ?? null;
    show = showFrame(session, render, onClose);
    draw();
  };
  return (event) => {
    model = reduceSafely(model, event);
    if (session.detail === "all") printAgentEvent(event, stage.out);
    if (event.kind === "opened" && show === null) begin();
    if (show !== null) soon ??= setTimeout(draw, DRAW_MS).unref();
  };
}

/** The view decides nothing, so an event that it cannot fold is not shown. */
function reduceSafely(model: ReturnType<typeof createLive>, event: LiveEvent): ReturnType<typeof createLive> {
  try {
    return reduceLive(model, event);
  } catch (error) {
    if (error instanceof InvariantError) return model;
    throw error;
  }
}

function printAgentEvent(event: LiveEvent, out: (text: string) => void): void {
  const text = event.kind === "agent" ? renderAgentEvent(event.speaker, event.event) : null;
  if (text !== null) out(`${text}\n`);
}

/** The shortest time between two lines about an agent, without -v. */
const AGENT_MS = 10_000;

/** Logs live events with their time on standard error; standard output keeps the result alone. */
export function logLive({ detail, err }: Pick<Session, "detail" | "err">): LiveListener {
  let toldMs = Number.NEGATIVE_INFINITY;
  const say = (atMs: number, words: string | null): void => {
    if (words !== null) err(`${new Date(atMs).toISOString().slice(11, 19)} ${words}\n`);
  };
  const agent = ({ atMs, speaker, event }: Extract<LiveEvent, { kind: "agent" }>): void => {
    if (detail !== "all" && atMs - toldMs < AGENT_MS) return;
    const words = renderAgentEvent(speaker, event);
    if (words !== null) toldMs = atMs;
    say(atMs, words);
  };
  return (event) => {
    if (event.kind === "recorded") say(Date.parse(event.line.at), describeRecorded(event.line.event));
    if (event.kind === "attempt") say(Date.parse(event.line.at), describeAttempt(event));
    if (event.kind === "agent") agent(event);
    if (event.kind === "silent") say(event.atMs, describeSilence(event));
  };
}

type Source = "cwd" | "environment" | "signal" | "relaisVersion" | "player" | "renderReport" | "askPerson";

/** What a command that starts sessions hands on from its process. */
export function makeProcessSources(session: Session): Pick<SeriesRequest<unknown>, Source> {
  const { cwd, environment, signal, player } = session;
  return {
    cwd,
    environment,
    signal,
    player,
    relaisVersion: readVersion(),
    askPerson: makeAskPerson(session),
    renderReport: renderReportMarkdown,
  };
}

/** Prints the progress of a series, for people or as JSON lines. A live view shows the waits itself. */
export function makeSeriesWatch(session: Session, isDrawn: boolean): SeriesWatch {
  const { json, detail } = session;
  const isSilent = json || detail === "quiet";
  // A log keeps each tick on one line, however long that is.
  const canvas = { ...session, columns: session.isTerminal ? session.columns : Infinity };
  let told: string | null = null;
  return {
    begun: (series) => {
      if (!isSilent) session.out(renderBeginning(series));
    },
    ticked: ({ report, problems }) => {
      told = null;
      if (json) session.out(`${JSON.stringify(report)}\n`);
      else if (!isSilent) session.out(renderTickLine(report, canvas));
      printUnpublished(problems, session);
    },
    warned: (warning) => printWarning(warning, session),
    waiting: (wait) => {
      if (!isDrawn && told !== wait.until && detail !== "quiet") session.err(`${renderWait(wait)}\n`);
      told = wait.until;
    },
  };
}

/** The live view: drawn on a terminal, a timestamped log elsewhere. */

interface Live {
  readonly emit: LiveListener;
  readonly watch: SeriesWatch;
}

/** Watches another process; without a terminal, as a log. */
export function watchInTerminal(session: Session): LiveListener {
  const { detail, out } = session;
  const screen = findScreen(session);
  if (screen === null) return logLive({ detail, err: out });
  return drawLive({ ...session, screen }, { command: null, openKeys: makeKeys(session, null) });
}

/** Draws in the lower half of the terminal, below other output; null where nothing can be drawn. */
export function drawBelow(session: Session): LiveListener | null {
  const screen = findScreen(session);
  if (screen === null || session.json) return null;
  return drawLive({ ...session, screen }, { command: null, share: 0.5 });
}

/** Opens the live view. Clearing the stage removes it before the final output. */
export function openLive(session: Session, command: string): Live {
  const { json, detail } = session;
  const isSilent = detail === "quiet" || (json && detail !== "all");
  if (isSilent) return { emit: () => {}, watch: makeSeriesWatch(session, false) };
  const screen = json ? null : findScreen(session);
  if (screen === null) return { emit: logLive(session), watch: makeSeriesWatch(session, false) };
  const drawing = { command, openKeys: makeKeys(session, command) };
  return { emit: drawLive({ ...session, screen }, drawing), watch: makeSeriesWatch(session, true) };
}

const makeKeys = (session: Session, command: string | null) => (redraw: () => void) =>
  openLiveKeys(session, { command, redraw });

type SeriesSources = ReturnType<typeof makeProcessSources> & Pick<SeriesRequest<unknown>, "watch" | "emit">;

/** The sources of every command that runs a series: its process and its live view. */
export function makeSeriesSources(session: Session, command: string): SeriesSources {
  return { ...makeProcessSources(session), ...openLive(session, command) };
}

/** The screen to draw on; null for --plain and for a process in the background. */
function findScreen({ screen, isPlain }: Session): Screen | null {
  return isPlain || isInBackground() ? null : screen;
}

/** The roles that can be watched alone; `runner` is relais itself. */
export type WatchedRole = "runner" | "orchestrator" | "builder" | "reviewer" | "verifier";

/** How many of the recorded steps a viewer begins with. */
const PAST_LINES_MAX = 200;

/** Prints what one role does, a line with the time for each step. Below the steps of the runner is the live view. */
export function showRole(session: Session, role: WatchedRole): LiveListener {
  const draw = role === "runner" ? drawBelow(session) : null;
  return (event) => {
    for (const [atMs, words] of listRoleLines(event, role))
      session.out(`${new Date(atMs).toISOString().slice(11, 19)} ${words}\n`);
    draw?.(event);
  };
}

type TimedWords = readonly [atMs: number, words: string];

function listRoleLines(event: LiveEvent, role: WatchedRole): readonly TimedWords[] {
  if (role === "runner" && (event.kind === "opened" || event.kind === "recorded")) return listSteps(event);
  if (event.kind === "silent")
    return role === "runner" || role === SPEAKERS[event.role] ? [[event.atMs, describeSilence(event)]] : [];
  if (event.kind !== "agent" || findRole(event.speaker) !== role) return [];
  const words = renderAgentDoing(event.event);
  return words === null ? [] : [[event.atMs, words]];
}

const SPEAKERS = { worker: "builder", verifier: "verifier" } as const;

/** What checks print belongs to the runner, which runs them. */
function findRole(speaker: string): string {
  return speaker === CHECKS ? "runner" : (speaker.split(" ")[0] ?? speaker);
}

function listSteps(event: Extract<LiveEvent, { kind: "opened" | "recorded" }>): readonly TimedWords[] {
  const lines =
    event.kind === "recorded" ? [event.line] : event.lines.filter((line) => line.series_id === event.seriesId);
  return lines.slice(-PAST_LINES_MAX).flatMap((line) => {
    const words = describeRecorded(line.event);
    return words === null ? [] : [[Date.parse(line.at), words]];
  });
}
