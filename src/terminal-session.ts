import type { Environment } from "./base/environment.ts";
import type { Canvas } from "./base/canvas.ts";
import { colouredStyle, plainStyle, type Style } from "./base/style.ts";
import { countColumns, type GlobalOptions } from "./terminal/global-options.ts";
import type { Keyboard, Screen, Session } from "./terminal/command.ts";
import { loadVocabulary } from "./load-command.ts";
import type { Stage } from "./terminal/stage.ts";

export interface Terminal {
  /** Null where the working directory does not exist any more. */
  readonly cwd: string | null;
  readonly out: (text: string | Uint8Array) => void;
  readonly err: (text: string) => void;
  readonly isTerminal: boolean;
  /** How wide it is, where it is a terminal. */
  readonly columns?: number | undefined;
  /** What can be drawn on, where it is a terminal. */
  readonly screen?: Screen | null;
  /** Its keys, where a person can type. */
  readonly keyboard?: Keyboard | null;
  readonly env: Environment;
  /** How to start relais itself. */
  readonly relais: readonly [node: string, executable: string];
  readonly signal: AbortSignal;
  /** Fires when the reader of the output is gone; absent where there is always one. */
  readonly unread?: AbortSignal;
}

/** A terminal together with the stage for its output. */
export interface StagedTerminal extends Terminal {
  readonly stage: Stage;
}

/** Starts relais as the builder of a scripted session; no command for people. */
export const SCRIPTED_ARGUMENT = "__scripted";

/** The session of a command, from what was typed and from where it is typed. */
export function createSession(options: GlobalOptions, terminal: StagedTerminal, cwd: string): Session {
  const { out, err, signal, isTerminal, stage, screen = null, keyboard = null } = terminal;
  const style = pickStyle(options.choice("color") ?? "auto", terminal);
  return {
    cwd,
    environment: terminal.env,
    relais: terminal.relais,
    player: [...terminal.relais, SCRIPTED_ARGUMENT],
    json: options.flag("json"),
    detail: options.flag("quiet") ? "quiet" : options.flag("verbose") ? "all" : "usual",
    style,
    columns: countColumns(terminal),
    prose: makeProse(terminal, style),
    isTerminal,
    screen,
    keyboard,
    isPlain: options.flag("plain") || isDumb(terminal),
    stage,
    out,
    err,
    signal,
    unread: terminal.unread ?? new AbortController().signal,
    loadVocabulary,
  };
}

export function makeProse(terminal: Terminal, style: Style): Canvas {
  return { style, columns: terminal.isTerminal ? countColumns(terminal) : Infinity };
}

/** A terminal without cursor movement, or a CI log. */
function isDumb({ env }: Terminal): boolean {
  const ci = env["CI"] ?? "";
  return env["TERM"] === "dumb" || (ci !== "" && ci !== "false" && ci !== "0");
}

function pickStyle(color: string, { isTerminal, env }: Terminal): Style {
  const isWanted = isTerminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  return color === "always" || (color === "auto" && isWanted) ? colouredStyle : plainStyle;
}
