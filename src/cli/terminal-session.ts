import type { Environment } from "../contract/values/environment.ts";
import { colouredStyle, plainStyle, type Style } from "../view/text/style.ts";
import type { Screen, Session } from "./framework/command.ts";
import { COMMANDS, GLOBAL_OPTIONS, type GlobalOptions } from "./commands.ts";
import type { Stage } from "./framework/stage.ts";

/** The world as the executable hands it over. */
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
  readonly env: Environment;
  /** How to start relais itself. */
  readonly relais: readonly [node: string, executable: string];
  readonly signal: AbortSignal;
  /** Fires when the reader of the output is gone; absent where there is always one. */
  readonly unread?: AbortSignal;
}

/** The world, and where everything is printed in it. */
export interface StagedTerminal extends Terminal {
  readonly stage: Stage;
}

/** Starts relais as the builder of a scripted session; no command for people. */
export const SCRIPTED_ARGUMENT = "__scripted";

/** A usual width, where nobody says how wide it is. */
const COLUMNS = 100;

/** The session of a command, from what was typed and from where it is typed. */
export function createSession(options: GlobalOptions, terminal: StagedTerminal, cwd: string): Session {
  const { out, err, signal, isTerminal, stage, screen = null } = terminal;
  return {
    cwd,
    environment: terminal.env,
    relais: terminal.relais,
    player: [...terminal.relais, SCRIPTED_ARGUMENT],
    json: options.flag("json"),
    detail: options.flag("quiet") ? "quiet" : options.flag("verbose") ? "all" : "usual",
    style: styleFor(options.choice("color") ?? "auto", terminal),
    columns: countColumns(terminal),
    isTerminal,
    screen,
    isPlain: options.flag("plain") || isDumb(terminal),
    stage,
    out,
    err,
    signal,
    unread: terminal.unread ?? new AbortController().signal,
    vocabulary: { commands: COMMANDS, options: GLOBAL_OPTIONS },
  };
}

/** What a person set counts before what the terminal says of itself. */
export function countColumns({ env, columns }: Terminal): number {
  const asked = Number(env["COLUMNS"] ?? "");
  if (Number.isInteger(asked) && asked > 0) return asked;
  return columns !== undefined && columns > 0 ? columns : COLUMNS;
}

/** What cannot be drawn on, or has nobody who looks at it. */
function isDumb({ env }: Terminal): boolean {
  const ci = env["CI"] ?? "";
  return env["TERM"] === "dumb" || (ci !== "" && ci !== "false" && ci !== "0");
}

function styleFor(color: string, { isTerminal, env }: Terminal): Style {
  const isWanted = isTerminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  return color === "always" || (color === "auto" && isWanted) ? colouredStyle : plainStyle;
}
