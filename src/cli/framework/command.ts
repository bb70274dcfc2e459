/**
 * A command is data: its help is made from it, and its code is loaded only when it runs, so that a command pays at start
 * only for what it needs.
 */
import type { Caller } from "../../contract/values/environment.ts";
import type { Style } from "../../view/text/style.ts";
import type { OptionSpec, OptionValues } from "./arguments.ts";
import type { Stage } from "./stage.ts";

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** What follows the name of the command, one line for each way to call it. */
  readonly usage: readonly string[];
  readonly description: readonly string[];
  readonly positionals: Positionals;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly { readonly line: string; readonly explains: string }[];
  readonly load: () => Promise<{ readonly run: RunCommand }>;
}

interface Positionals {
  readonly max: number;
  readonly help: readonly (readonly [string, string])[];
  /** Words that the first one can be, for shells to offer. */
  readonly choices?: readonly string[];
}

/** The command's part of an invocation, parsed. */
export interface Invocation {
  readonly positionals: readonly string[];
  readonly options: OptionValues;
}

/** Where a command stands and speaks. */
export interface Session extends Caller {
  /** How to start relais itself. */
  readonly relais: readonly [node: string, executable: string];
  readonly json: boolean;
  readonly detail: "quiet" | "usual" | "all";
  readonly style: Style;
  /** How wide text may be. */
  readonly columns: number;
  /** Whether a person looks at the output, rather than a file or a program. */
  readonly isTerminal: boolean;
  /** The terminal that something can be drawn on; null where the output is none. */
  readonly screen: Screen | null;
  /** Whether everything is told in lines, even on a terminal. */
  readonly isPlain: boolean;
  /** Where everything is printed, and something may be drawn meanwhile. */
  readonly stage: Stage;
  readonly out: (text: string | Uint8Array) => void;
  readonly err: (text: string) => void;
  /** Fires when the person wants the command to end. */
  readonly signal: AbortSignal;
  /** Fires when nobody reads the output any more, which only matters to a command that would never end. */
  readonly unread: AbortSignal;
  /** All that can be typed, for the command that tells shells of it. */
  readonly vocabulary: Vocabulary;
}

/** A terminal as something to draw on. */
export interface Screen {
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Tells of each new size; answers with what ends that. */
  readonly onResize: (told: () => void) => () => void;
  /** Tells before the process is suspended, and when it goes on; answers with what ends that. */
  readonly onSuspend: (told: { readonly before: () => void; readonly after: () => void }) => () => void;
}

export interface Vocabulary {
  readonly commands: readonly CommandSpec[];
  /** The options of every command. */
  readonly options: Readonly<Record<string, OptionSpec>>;
}

/** What a command comes to: the status of the process, or a mistake in how it was called. */
export type CommandEnd =
  | { readonly kind: "ended"; readonly status: number }
  | {
      readonly kind: "misused";
      readonly message: string;
      readonly problems: readonly string[];
      /** What to do; without it, the help of the command is pointed to. */
      readonly remedy?: string;
    };

export type RunCommand = (invocation: Invocation, session: Session) => Promise<CommandEnd>;
