/**
 * From arguments to an exit status: finds the command, parses what belongs to it, runs it.
 *
 * Whatever goes wrong, `--json` gets exactly one document on standard output.
 */
import { isAbsolute, resolve } from "node:path";
import { CODES } from "../contract/values/codes.ts";
import { unreachable } from "../contract/values/invariant.ts";
import { MeasurementError } from "../contract/values/measurement-error.ts";
import { nearestName } from "../contract/schema/nearest-name.ts";
import { failureText } from "../view/cards/failure-text.ts";
import { plainStyle } from "../view/text/style.ts";
import { commandPosition, type OptionValues, parseArguments } from "./framework/arguments.ts";
import type { CommandEnd, CommandSpec, Invocation, Session } from "./framework/command.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "./commands.ts";
import { commandText, overviewText } from "./help-text.ts";
import { createStage } from "./framework/stage.ts";
import { statusSpec } from "./commands/status/status-spec.ts";
import { columnsOf, sessionOf, type StagedTerminal, type Terminal } from "./terminal-session.ts";
import { version } from "./framework/version.ts";

/** Starts relais as the builder of a scripted session; no command for people. */
const SCRIPTED_ARGUMENT = "__scripted";

const USAGE_STATUS = 2;
const COLOR_CHOICES = ["auto", "always", "never"];

/** Runs the command that the arguments name and answers with the status of the process. */
export async function main(args: readonly string[], outside: Terminal): Promise<number> {
  const stage = createStage(outside);
  // A copy: what is known about an environment, as which git is used, belongs to this run alone.
  const env = { ...outside.env };
  const terminal = { ...outside, env, out: stage.out, err: stage.err, stage };
  try {
    if (terminal.env["RELAIS_DEBUG"] !== "1") return await answer(args, terminal);
    return await answerInDetail(args, terminal);
  } finally {
    stage.clear();
  }
}

/** Tells of each process that is started on the way to the answer. */
async function answerInDetail(args: readonly string[], terminal: StagedTerminal): Promise<number> {
  const { showProcesses } = await import("../run/workspace/show-processes.ts");
  const { processText } = await import("../view/text/process-text.ts");
  const { env: environment, err } = terminal;
  return showProcesses({ environment, onProcess: (note) => err(processText(note)) }, () =>
    answer(args, terminal),
  );
}

async function answer(args: readonly string[], terminal: StagedTerminal): Promise<number> {
  if (args[0] === SCRIPTED_ARGUMENT)
    return (await import("../run/tick/scripted-session.ts")).playScriptedSession(terminal.env);
  const call = understand(args, columnsOf(terminal));
  switch (call.kind) {
    case "misused":
      return reportMisuse(call, { terminal, isJson: asksForJson(args) });
    case "told":
      terminal.out(asksForJson(args) ? `${JSON.stringify(call.document)}\n` : call.text);
      return 0;
    case "run": {
      const cwd = folderOf(call.options, terminal);
      if (cwd === null) return reportMisuse(nowhere(call.command), { terminal, isJson: asksForJson(args) });
      announceStop(call, terminal);
      const { run } = await call.command.load();
      const end = await run(call, sessionOf(call.options, terminal, cwd)).catch((error: unknown) => {
        terminal.stage.clear();
        return reportFailure(error, { terminal, asked: sessionOf(call.options, terminal, cwd) });
      });
      if (end.kind === "ended") return end.status;
      return reportMisuse({ ...end, command: call.command }, { terminal, isJson: asksForJson(args) });
    }
    default:
      return unreachable(call);
  }
}

/** Commands that leave a repository in order only if they come to their end. */
const ENDED_IN_ORDER = ["run", "accept", "undo", "recover"];

/** Whoever sends a signal is told at once that it was heard: what is being ended in order may take its time. */
function announceStop({ command, options }: Extract<Call, { kind: "run" }>, terminal: Terminal): void {
  if (options.flag("quiet") || !ENDED_IN_ORDER.includes(command.name)) return;
  const { signal, err } = terminal;
  const say = () =>
    err(
      `relais: stopping (${String(signal.reason)}): what was begun is put back, or finished where it is decided already. A second signal stops at once; \`relais recover\` then does the rest.\n`,
    );
  signal.addEventListener("abort", say, { once: true });
}

/** What could not be measured is said with what to do; everything else that is thrown is a bug. */
async function reportFailure(
  error: unknown,
  { terminal, asked }: { readonly terminal: Terminal; readonly asked: Session },
): Promise<CommandEnd> {
  if (!(error instanceof MeasurementError)) throw error;
  if (terminal.signal.aborted) return reportStop(error, { terminal, isJson: asked.json });
  const { cannotGoOn } = await import("../run/workspace/cannot-go-on.ts");
  const { tellBlocked } = await import("./answers/tick-answer.ts");
  return tellBlocked(cannotGoOn(error), asked);
}

/** A measurement that a signal cut short is no failure, as long as nothing had begun that must be ended in order. */
function reportStop(error: MeasurementError, where: { terminal: Terminal; isJson: boolean }): CommandEnd {
  const { terminal, isJson } = where;
  const { verdict, exit } = CODES.STOP_INTERRUPTED;
  const cause = String(terminal.signal.reason).toLowerCase();
  const failure = {
    code: "STOP_INTERRUPTED",
    message: `It was stopped: ${error.message}.`,
    problems: [],
  } as const;
  if (isJson) terminal.out(`${JSON.stringify({ verdict, cause, ...failure })}\n`);
  else terminal.err(failureText(failure, plainStyle));
  return { kind: "ended", status: exit };
}

type Call =
  | ({ readonly kind: "run"; readonly command: CommandSpec } & Invocation)
  /** Help or version: nothing has to be loaded to answer. */
  | { readonly kind: "told"; readonly text: string; readonly document: object }
  | ({ readonly kind: "misused" } & Misuse);

function understand(args: readonly string[], columns: number): Call {
  const at = commandPosition(args, GLOBAL_OPTIONS);
  const name = at === null ? null : (args[at] ?? null);
  const command = COMMANDS.find((candidate) => candidate.name === name) ?? null;
  if (name !== null && command === null) return misuse(unknownCommand(name), null);
  const own = args.filter((_, index) => index !== at);
  // Without a command it is said where things stand.
  const { options } = command ?? statusSpec;
  const parsed = parseArguments(own, { ...GLOBAL_OPTIONS, ...options });
  if (parsed.kind === "misused") return misuse(parsed.message, command);
  return decide(parsed, { command, columns });
}

function decide(
  { options, positionals }: Invocation,
  { command, columns }: { readonly command: CommandSpec | null; readonly columns: number },
): Call {
  if (options.flag("version")) {
    return { kind: "told", text: `relais ${version()}\n`, document: { version: version() } };
  }
  if (options.flag("help")) {
    const canvas = { style: plainStyle, columns };
    const text = command === null ? overviewText(canvas) : commandText(command, canvas);
    return { kind: "told", text, document: { help: text } };
  }
  const meant = command ?? statusSpec;
  const mistake = globalMistake(options) ?? positionalMistake(positionals, meant);
  return mistake === null ? { kind: "run", command: meant, options, positionals } : misuse(mistake, command);
}

function misuse(message: string, command: CommandSpec | null): Call {
  return { kind: "misused", message, problems: [], command };
}

function unknownCommand(name: string): string {
  const nearest = nearestName(
    name,
    COMMANDS.map((command) => command.name),
  );
  return `there is no command "${name}"${nearest === null ? "" : `; did you mean "${nearest}"?`}`;
}

function globalMistake(options: OptionValues): string | null {
  const color = options.text("color");
  if (color !== null && !COLOR_CHOICES.includes(color))
    return `--color is auto, always or never, not "${color}"`;
  if (options.flag("quiet") && options.flag("verbose")) return "--quiet and --verbose exclude each other";
  return null;
}

function positionalMistake(
  positionals: readonly string[],
  { name, positionals: { max } }: CommandSpec,
): string | null {
  const extra = positionals[max];
  return extra === undefined ? null : `relais ${name} does not know what to do with "${extra}"`;
}

/** Where the command is to work; null where that cannot be said. */
function folderOf(options: OptionValues, terminal: Terminal): string | null {
  const named = options.text("cwd") ?? ".";
  if (terminal.cwd === null) return isAbsolute(named) ? named : null;
  return resolve(terminal.cwd, named);
}

function nowhere(command: CommandSpec): Misuse {
  const message =
    "the working directory does not exist any more; go to one that does, or name one with --cwd";
  return { message, problems: [], command };
}

interface Misuse {
  readonly message: string;
  readonly problems: readonly string[];
  readonly remedy?: string;
  readonly command: CommandSpec | null;
}

function reportMisuse(
  { message, problems, command, remedy }: Misuse,
  where: { terminal: Terminal; isJson: boolean },
): number {
  const { terminal, isJson } = where;
  const help = command === null ? "relais --help" : `relais ${command.name} --help`;
  const next = remedy === undefined ? `See \`${help}\`.` : `Next: ${remedy}`;
  // A remedy that there is not is left out of the document.
  if (isJson) terminal.out(`${JSON.stringify({ error: "usage", message, problems, remedy, help })}\n`);
  else terminal.err(failureText({ code: null, message, problems, next }, plainStyle));
  return USAGE_STATUS;
}

/** Asked of the raw arguments, because the ones that cannot be parsed deserve their document too. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).includes("--json");
}
