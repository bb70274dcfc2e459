/**
 * A command is data: its help is made from it, and its code is loaded only when it runs, so that a command pays at start
 * only for what it needs.
 */
import type { Caller } from "../base/environment.ts";
import type { Canvas } from "../base/canvas.ts";
import type { Style } from "../base/style.ts";
import type { ParsedArguments } from "./arguments.ts";
import { type GivenOptions, type Options, type OptionSpecs, parseTypedOptions } from "./option-spec.ts";
import type { Stage } from "./stage.ts";

/** What the help, the completions and the documents say about a command. */
interface Description {
  /** The word that is typed for it. */
  readonly name: string;
  readonly summary: string;
  /** What follows the name, one line for each way to call it. */
  readonly usage: readonly string[];
  readonly description: readonly string[];
  readonly positionals: Positionals;
  readonly examples: readonly { readonly line: string; readonly explains: string }[];
}

interface Positionals {
  readonly max: number;
  readonly help: readonly (readonly [string, string])[];
  /** Words that the first one can be, for shells to offer. */
  readonly choices?: readonly string[];
}

/** A command, or a sub-command of one, as the framework knows it. */
export interface CommandSpec extends Description {
  readonly options: OptionSpecs;
  /** Whether it leaves a repository in order only if it comes to its end, so that a signal is answered at once. */
  readonly mustFinish: boolean;
  readonly subcommands: readonly CommandSpec[];
  /** The sub-command that is meant where none is named. */
  readonly defaultTo: string | null;
  /** Loads its code and runs it; null where it only has sub-commands. */
  readonly start: ((call: ParsedArguments, session: Session) => Promise<CommandEnd>) | null;
}

const NO_OPTIONS = {} as const satisfies OptionSpecs;
export type NoOptions = typeof NO_OPTIONS;

const NO_POSITIONALS: Positionals = { max: 0, help: [] };

interface CommandDefinition<S extends OptionSpecs> extends Omit<Description, "usage" | "positionals"> {
  /** Absent where nothing follows the name. */
  readonly usage?: readonly string[];
  readonly positionals?: Positionals;
  readonly mustFinish?: boolean;
  /** What its first argument can be instead of an argument. */
  readonly subcommands?: readonly CommandSpec[];
  /** Loaded only when it runs, so that a command pays at start only for what it needs. */
  readonly load: () => Promise<RunCommand<S>>;
}

/** A command without options has to name none. */
type OptionsPart<S extends OptionSpecs> = keyof S extends never ? { readonly options?: S } : { readonly options: S };

/** A command that does something itself; its code sees its options with their types. */
export function defineCommand<S extends OptionSpecs>(definition: CommandDefinition<S> & OptionsPart<S>): CommandSpec {
  const { load, ...described } = definition;
  return {
    usage: [""],
    positionals: NO_POSITIONALS,
    mustFinish: false,
    subcommands: [],
    ...described,
    options: definition.options ?? NO_OPTIONS,
    defaultTo: null,
    start: async ({ positionals, given }, session) =>
      (await load())({ positionals, given, options: parseTypedOptions<S>(given) }, session),
  };
}

interface GroupDefinition extends Omit<Description, "usage" | "positionals" | "examples"> {
  readonly subcommands: readonly CommandSpec[];
  /** Absent where a sub-command has to be named. */
  readonly defaultTo?: string;
  /** Absent are those of its sub-commands. */
  readonly examples?: Description["examples"];
}

/** A command that consists of sub-commands. */
export function defineGroup({ defaultTo, ...definition }: GroupDefinition): CommandSpec {
  return {
    examples: definition.subcommands.flatMap((sub) => sub.examples),
    ...definition,
    usage: [],
    positionals: NO_POSITIONALS,
    options: NO_OPTIONS,
    mustFinish: false,
    defaultTo: defaultTo ?? null,
    start: null,
  };
}

/** The command's part of an invocation, parsed. */
interface Invocation<S extends OptionSpecs> {
  readonly positionals: readonly string[];
  readonly options: Options<S>;
  /** All of them, for another process of relais or for a line that a person can repeat. */
  readonly given: GivenOptions;
}

/** What a command knows about its process, and where it prints. */
export interface Session extends Caller {
  /** How to start relais itself. */
  readonly relais: readonly [node: string, executable: string];
  /** How to start relais for a scripted session. */
  readonly player: readonly [node: string, ...args: string[]];
  readonly json: boolean;
  readonly detail: "quiet" | "usual" | "all";
  readonly style: Style;
  /** How wide text may be. */
  readonly columns: number;
  /** Where sentences are wrapped: only on a terminal, so that a log can be searched. */
  readonly prose: Canvas;
  /** Whether a person looks at the output, rather than a file or a program. */
  readonly isTerminal: boolean;
  /** The terminal that something can be drawn on; null where the output is none. */
  readonly screen: Screen | null;
  /** The keys of a person at the terminal; null where there is none to ask. */
  readonly keyboard: Keyboard | null;
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
  readonly loadVocabulary: () => Promise<Vocabulary>;
}

export interface Screen {
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Tells of each new size; answers with what ends that. */
  readonly onResize: (told: () => void) => () => void;
  /** Tells before the process is suspended, and when it goes on; answers with what ends that. */
  readonly onSuspend: (told: { readonly before: () => void; readonly after: () => void }) => () => void;
  /** Lets another program have the terminal, with its keys and its Ctrl-C. */
  readonly lend: (use: () => Promise<void>) => Promise<void>;
}

export interface KeyListener {
  /** Called with one key: a character, `enter` or `escape`. Pasted text and longer sequences are no keys. */
  readonly onKey: (key: string) => void;
  /** Called with pasted text; without it, that is ignored. */
  readonly onText?: (text: string) => void;
  /** Called at Ctrl-C or Ctrl-D; without it, Ctrl-C is the signal that it always is. */
  readonly onLeave?: () => void;
}

export interface Keyboard {
  /** Reads single keys until the returned function is called. In the background nothing is read. */
  readonly listen: (listener: KeyListener) => () => void;
  /** Does what Ctrl-C does. */
  readonly interrupt: () => void;
}

export interface Vocabulary {
  readonly commands: readonly CommandSpec[];
  /** The options of every command. */
  readonly options: OptionSpecs;
}

/** A mistake in how a command was called. */
export interface Misused {
  readonly kind: "misused";
  readonly message: string;
  readonly problems: readonly string[];
  /** What to do; without it, the help of the command is pointed to. */
  readonly remedy?: string;
}

export function refuseMisuse(message: string, problems: readonly string[] = []): Misused {
  return { kind: "misused", message, problems };
}

/** What a command comes to: the status of the process, or a mistake in how it was called. */
export type CommandEnd = { readonly kind: "ended"; readonly status: number } | Misused;

export type RunCommand<S extends OptionSpecs = NoOptions> = (
  invocation: Invocation<S>,
  session: Session,
) => Promise<CommandEnd>;
