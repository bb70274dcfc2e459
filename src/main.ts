/**
 * From arguments to an exit status: finds the command, parses what belongs to it, runs it.
 *
 * Whatever goes wrong, `--json` gets exactly one document on standard output.
 */
import { isAbsolute, resolve } from "node:path";
import { InvariantError, MeasurementError, unreachable } from "./base/errors.ts";
import { renderFailure } from "./cards/failure-text.ts";
import { plainStyle } from "./base/style.ts";
import { countColumns, GLOBAL_OPTIONS, type GlobalOptions, readVersion } from "./terminal/global-options.ts";
import { findCommandPosition, type ParsedArguments } from "./terminal/arguments.ts";
import type { CommandEnd, Misused, Session } from "./terminal/command.ts";
import {
  type FoundCommand,
  type NamedCommand,
  parseCommand,
  parseFor,
  refuseUnknownCommand,
} from "./terminal/find-command.ts";
import { parseTypedOptions } from "./terminal/option-spec.ts";
import { createStage } from "./terminal/stage.ts";
import { isCommandName, SUMMARIES } from "./terminal/summaries.ts";
import { printFailure, printInterrupted } from "./terminal/refusal-answer.ts";
import { closeInspector } from "./terminal/inspector.ts";
import { DEFAULT_COMMAND, loadCommand } from "./load-command.ts";
import { createSession, makeProse, SCRIPTED_ARGUMENT, type StagedTerminal, type Terminal } from "./terminal-session.ts";
import { filterOwnEnvironment, takeNoProgramsFrom } from "./workspace/own-environment.ts";

const USAGE_STATUS = 2;

/** Runs the command that the arguments name and answers with the status of the process. */
export async function main(args: readonly string[], outside: Terminal): Promise<number> {
  const stage = createStage(outside);
  const env = filterOwnEnvironment(outside.env);
  const terminal = { ...outside, env, out: stage.out, err: stage.err, stage };
  try {
    if (terminal.env["RELAIS_DEBUG"] !== "1") return await answer(args, terminal);
    return await answerInDetail(args, terminal);
  } finally {
    await stage.untilReturned();
    stage.clear();
  }
}

/** Runs the command and prints each process that it starts. */
async function answerInDetail(args: readonly string[], terminal: StagedTerminal): Promise<number> {
  const { showProcesses } = await import("./workspace/show-processes.ts");
  const { renderProcess } = await import("./base/process-text.ts");
  const { env: environment, err } = terminal;
  return showProcesses({ environment, onProcess: (note) => err(renderProcess(note)) }, () => answer(args, terminal));
}

async function answer(args: readonly string[], terminal: StagedTerminal): Promise<number> {
  if (args[0] === SCRIPTED_ARGUMENT)
    return (await import("./tick/scripted-session.ts")).playScriptedSession(terminal.env);
  const call = await parseCall(args, countColumns(terminal));
  switch (call.kind) {
    case "misused":
      return reportMisuse(call, { terminal, isJson: asksForJson(args) });
    case "told":
      terminal.out(asksForJson(args) ? `${JSON.stringify(call.document)}\n` : call.text);
      return 0;
    case "run": {
      const cwd = resolveFolder(call.options, terminal);
      if (cwd === null) return reportMisuse(refuseLostFolder(call.named.path), { terminal, isJson: asksForJson(args) });
      takeNoProgramsFrom(cwd, terminal.env);
      // SIGUSR1 may have opened one before this process listened for it.
      if (call.named.command.mustFinish) closeInspector();
      announceStop(call, terminal);
      const session = createSession(call.options, terminal, cwd);
      const end = await call.start(session).catch((error: unknown) => {
        terminal.stage.clear();
        return reportFailure(error, session);
      });
      if (end.kind === "ended") return end.status;
      return reportMisuse({ ...end, command: call.named.path }, { terminal, isJson: asksForJson(args) });
    }
    default:
      return unreachable(call);
  }
}

/** Announces the stop at once, because an orderly end may take a while. */
function announceStop({ named, options }: Extract<Call, { kind: "run" }>, terminal: Terminal): void {
  if (options.flag("quiet") || !named.command.mustFinish) return;
  const { signal, err } = terminal;
  const say = () =>
    err(
      `relais: stopping (${String(signal.reason)}): reverting the change, or finishing its commit. A second signal stops at once; then run \`relais recover\`.\n`,
    );
  signal.addEventListener("abort", say, { once: true });
}

/** A failed measurement is reported with a remedy; every other error is a bug. */
async function reportFailure(error: unknown, session: Session): Promise<CommandEnd> {
  if (!(error instanceof MeasurementError)) throw error;
  // A measurement stopped by a signal is no failure: nothing needs a rollback yet.
  if (session.signal.aborted)
    return printInterrupted(String(session.signal.reason).toLowerCase(), `Stopped: ${error.message}.`, session);
  const { explainFailure } = await import("./workspace/refusals.ts");
  return printFailure(explainFailure(error), session);
}

type Call =
  | {
      readonly kind: "run";
      readonly named: NamedCommand;
      readonly options: GlobalOptions;
      readonly start: (session: Session) => Promise<CommandEnd>;
    }
  /** Help or version: nothing has to be loaded to answer. */
  | { readonly kind: "told"; readonly text: string; readonly document: object }
  | Misuse;

async function parseCall(args: readonly string[], columns: number): Promise<Call> {
  const at = findCommandPosition(args, GLOBAL_OPTIONS);
  const isNamed = at !== null;
  const asked = await (isNamed ? parseNamed(args, at) : parseDefault(args));
  if (asked.kind === "misused") return makeMisuse(asked.message, isNamed ? asked.named : null);
  return chooseCall({ ...asked, isNamed, columns });
}

async function parseNamed(args: readonly string[], at: number): Promise<FoundCommand> {
  const name = args[at] ?? "";
  if (!isCommandName(name)) return refuseUnknownCommand(name, Object.keys(SUMMARIES));
  return parseCommand(await loadCommand(name), { args, globals: GLOBAL_OPTIONS, at });
}

/** Without a command, `relais` shows the status. */
async function parseDefault(args: readonly string[]): Promise<FoundCommand> {
  const command = await loadCommand(DEFAULT_COMMAND);
  return parseFor({ path: command.name, command }, { args, globals: GLOBAL_OPTIONS });
}

interface Asked {
  readonly named: NamedCommand;
  readonly call: ParsedArguments;
  readonly isNamed: boolean;
  readonly columns: number;
}

async function chooseCall({ named, call, isNamed, columns }: Asked): Promise<Call> {
  const options: GlobalOptions = parseTypedOptions(call.given);
  if (options.flag("version")) {
    return { kind: "told", text: `relais ${readVersion()}\n`, document: { version: readVersion() } };
  }
  if (options.flag("help")) {
    const { writeCommandHelp, writeOverview } = await import("./terminal/help-text.ts");
    const canvas = { style: plainStyle, columns };
    const text = isNamed ? writeCommandHelp(named, canvas) : writeOverview(canvas);
    return { kind: "told", text, document: { help: text } };
  }
  const mistake = findGlobalMistake(options) ?? findPositionalMistake(call.positionals, named);
  const { start } = named.command;
  if (mistake !== null) return makeMisuse(mistake, isNamed ? named : null);
  if (start === null) throw new InvariantError(`relais ${named.path} has nothing to run`);
  return { kind: "run", named, options, start: (session) => start(call, session) };
}

function makeMisuse(message: string, named: NamedCommand | null): Call {
  return { kind: "misused", message, problems: [], command: named?.path ?? null };
}

function findGlobalMistake(options: GlobalOptions): string | null {
  return options.flag("quiet") && options.flag("verbose") ? "--quiet and --verbose exclude each other" : null;
}

function findPositionalMistake(positionals: readonly string[], { path, command }: NamedCommand): string | null {
  const extra = positionals[command.positionals.max];
  return extra === undefined ? null : `relais ${path} takes no text here: "${extra}"`;
}

/** The working directory of the command; null where it is gone. */
function resolveFolder(options: GlobalOptions, terminal: Terminal): string | null {
  const named = options.text("cwd") ?? ".";
  if (terminal.cwd === null) return isAbsolute(named) ? named : null;
  return resolve(terminal.cwd, named);
}

function refuseLostFolder(command: string): Misuse {
  const message = "the working directory does not exist any more; change to another one, or use --cwd";
  return { kind: "misused", message, problems: [], command };
}

interface Misuse extends Misused {
  /** The words of the command; null where none was named. */
  readonly command: string | null;
}

function reportMisuse(
  { message, problems, command, remedy }: Misuse,
  where: { terminal: Terminal; isJson: boolean },
): number {
  const { terminal, isJson } = where;
  const help = command === null ? "relais --help" : `relais ${command} --help`;
  const next = remedy === undefined ? `See \`${help}\`.` : `Next: ${remedy}`;
  // An undefined remedy is left out of the document.
  if (isJson) terminal.out(`${JSON.stringify({ error: "usage", message, problems, remedy, help })}\n`);
  else terminal.err(renderFailure({ code: null, message, problems, next }, makeProse(terminal, plainStyle)));
  return USAGE_STATUS;
}

/** Reads the raw arguments, so that a parse error is a JSON document too. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).includes("--json");
}
