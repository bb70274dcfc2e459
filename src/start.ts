/** relais as a process: its arguments, streams and signals, and the terminal around it. */
import { dirname } from "node:path";
import type { Screen } from "./terminal/command.ts";
import { openKeyboard, watchSuspension } from "./terminal/keyboard.ts";
import { closeInspector } from "./terminal/inspector.ts";
import { main } from "./main.ts";
import { isDevice, makeWriter } from "./system/standard-streams.ts";
import { reportBug } from "./report-bug.ts";
import type { Terminal } from "./terminal-session.ts";

const OUTPUT_STATUS = 1;
/** SIGHUP comes when the terminal is closed; an open tick is reverted then too. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const args = process.argv.slice(2);
// A builder is a program of the same user. With an inspector it could change this process, so none is left open: SIGUSR1
// would open one if nothing listened for it, and one that was asked for at the start is closed.
process.on("SIGUSR1", () => undefined);
if (/--inspect/.test([...process.execArgv, process.env["NODE_OPTIONS"]].join(" "))) closeInspector();
const stop = new AbortController();
const unread = new AbortController();
let signalStatus: number | null = null;
let isLent = false;
for (const [signal, status] of Object.entries(SIGNALS)) {
  process.on(signal, () => {
    // Ctrl-C belongs to the program that has the terminal.
    if (isLent && signal === "SIGINT") return;
    // A second signal, of any kind, ends the process at once.
    for (const other of Object.keys(SIGNALS)) process.removeAllListeners(other);
    signalStatus = status;
    stop.abort(signal);
  });
}
const err = makeWriter(2, () => process.stderr, handleLoss);
const out = makeWriter(
  1,
  () => process.stdout,
  (error) => {
    // A reader that has seen enough, as in `relais explain | head`, is no failure of ours.
    if (error.code === "EPIPE") return unread.abort();
    handleLoss(error);
    err(`relais: the output was lost: ${error.message}\n`);
  },
);

/** A full disk is a failure: a reader must not take the part that was written for the whole answer. */
function handleLoss({ code }: NodeJS.ErrnoException): void {
  if (code !== "EPIPE") process.once("exit", () => (process.exitCode = signalStatus ?? OUTPUT_STATUS));
}

/** Null where the folder was removed under our feet. */
function workingDirectory(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/** Whether a person can type; only asked on a terminal, for which Node has loaded the module anyway. */
function isTyped(): boolean {
  return process.getBuiltinModule("node:tty").isatty(0);
}

/** What a terminal has that does not say it. */
const COLUMNS = 80;
const ROWS = 24;

/** As Node knows it, which asks the terminal whenever that tells of a new size. */
function sizeNow(): ReturnType<Screen["size"]> {
  const [columns, rows] = process.stdout.getWindowSize();
  return { columns: columns || COLUMNS, rows: rows || ROWS };
}

const onSuspend = watchSuspension();
const keyboard = openKeyboard({
  openInput: () => process.stdin,
  // To all processes of the command, as the terminal does.
  sendSignal: (signal) => process.kill(0, signal),
  onSuspend,
});
// A second Ctrl-C has to be a signal again.
stop.signal.addEventListener("abort", keyboard.close);

const screen: Screen = {
  size: sizeNow,
  onResize: (told) => {
    process.stdout.on("resize", told);
    return () => process.stdout.removeListener("resize", told);
  },
  onSuspend,
  lend: (use) =>
    keyboard.lend(async () => {
      isLent = true;
      await use().finally(() => (isLent = false));
    }),
};

const isTerminal = isDevice(1) && process.stdout.isTTY;

const terminal: Terminal = {
  cwd: workingDirectory(),
  out,
  err,
  isTerminal,
  columns: isTerminal ? process.stdout.columns : undefined,
  screen: isTerminal ? screen : null,
  keyboard: isTerminal && isTyped() ? keyboard : null,
  env: process.env,
  relais: [process.execPath, process.argv[1] ?? ""],
  signal: stop.signal,
  unread: unread.signal,
};

/** A second signal would end it at once, in the middle of a rollback. */
function endWithLifeline(): void {
  if (!stop.signal.aborted) process.kill(process.pid, "SIGTERM");
}

/** Only a relais that another one started has a lifeline, and waits for it. */
async function start(): Promise<number> {
  const lifeline = Number(process.env["RELAIS_LIFELINE"] ?? 0);
  const held = { environment: process.env, onEnd: endWithLifeline };
  if (lifeline > 0) await (await import("./terminal/hold-lifeline.ts")).holdLifeline(lifeline, held);
  return main(args, terminal);
}

start().then(
  (status) => {
    process.exitCode = signalStatus ?? status;
  },
  (error: unknown) => {
    process.exitCode = reportBug(error, args, dirname(__dirname), terminal);
  },
);
