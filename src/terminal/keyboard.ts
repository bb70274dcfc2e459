import type { ReadStream } from "node:tty";
import { isInBackground } from "../process/proc-stat.ts";
import type { Keyboard, KeyListener, Screen } from "./command.ts";

/**
 * Single keys of a terminal.
 *
 * Only the newest listener has the keys. While there is none, while another program has the terminal, while the
 * process is suspended, and in the background, the terminal is as the shell left it, and nothing is read.
 */

interface KeyboardSources {
  readonly openInput: () => ReadStream;
  /** Does what the terminal does itself unless single keys are read: sends a signal to all processes of the command. */
  readonly sendSignal: (signal: "SIGINT" | "SIGTSTP" | "SIGQUIT") => void;
  readonly onSuspend: Screen["onSuspend"];
}

interface ProcessKeyboard extends Keyboard {
  readonly lend: Screen["lend"];
  /** Restores the terminal for good. */
  readonly close: () => void;
}

/** A shell may bring the process to the foreground without a word. */
const LOOK_MS = 250;
const SIGNALS = { "\u0003": "SIGINT", "\u001A": "SIGTSTP", "\u001C": "SIGQUIT" } as const;
const INTERRUPT = "\u0003";
const NAMES: Readonly<Record<string, string>> = { "\r": "enter", "\n": "enter", "\u001B": "escape" };

export function openKeyboard({ openInput, sendSignal, onSuspend }: KeyboardSources): ProcessKeyboard {
  const listeners: KeyListener[] = [];
  let reading: { readonly end: () => void } | null = null;
  let isClosed = false;
  let isSuspended = false;
  let lent = 0;
  const take = (chunk: Buffer): void => hear(chunk.toString("utf8"), listeners.at(-1) ?? null, sendSignal);
  const look = (): void => {
    const isWanted = listeners.length > 0 && !isClosed && !isSuspended && lent === 0 && !isInBackground();
    if (isWanted) reading ??= startReading(openInput(), take);
    else {
      reading?.end();
      reading = null;
    }
  };
  return {
    listen: (next) => {
      listeners.push(next);
      const looking = setInterval(look, LOOK_MS).unref();
      const setSuspended = (now: boolean) => (): void => {
        isSuspended = now;
        look();
      };
      const endSuspending = onSuspend({ before: setSuspended(true), after: setSuspended(false) });
      look();
      return () => {
        clearInterval(looking);
        endSuspending();
        const at = listeners.lastIndexOf(next);
        if (at >= 0) listeners.splice(at, 1);
        look();
      };
    },
    interrupt: () => sendSignal("SIGINT"),
    lend: async (use) => {
      lent += 1;
      look();
      try {
        await use();
      } finally {
        lent -= 1;
        look();
      }
    },
    close: () => {
      isClosed = true;
      look();
    },
  };
}

/** Several characters at once are pasted, or a key with a sequence of its own. */
function hear(text: string, listener: KeyListener | null, sendSignal: KeyboardSources["sendSignal"]): void {
  const signal = Object.entries(SIGNALS).find(([character]) => text.includes(character))?.[1];
  const isLeaving = text === "\u0004" || signal === "SIGINT";
  if (isLeaving && listener?.onLeave !== undefined) listener.onLeave();
  else if (signal !== undefined) sendSignal(signal);
  else if (listener !== null) hearText(text, listener);
}

/** A longer sequence of a key begins with Escape. */
function hearText(text: string, { onKey, onText }: KeyListener): void {
  if (/^.$/su.test(text)) onKey(NAMES[text] ?? text);
  else if (!text.includes("\u001B")) onText?.(text);
}

/** A terminal that is gone is reported by SIGHUP. */
const ignoreError = (): void => {};

/** What was typed before anybody asked comes at once, and is no answer. */
const TYPED_AHEAD_MS = 80;

function startReading(input: ReadStream, take: (chunk: Buffer) => void): { readonly end: () => void } {
  const beganMs = Date.now();
  const onData = (chunk: Buffer): void => {
    if (Date.now() - beganMs >= TYPED_AHEAD_MS || chunk.includes(INTERRUPT)) take(chunk);
  };
  input.on("error", ignoreError);
  input.on("data", onData);
  input.setRawMode(true);
  input.resume();
  return {
    end: () => {
      // From the background this would stop the process; Node restores the terminal at the end.
      if (!isInBackground()) input.setRawMode(false);
      input.pause();
      input.removeListener("data", onData);
      input.removeListener("error", ignoreError);
    },
  };
}

interface Suspension {
  readonly before: () => void;
  readonly after: () => void;
}

/** How long it takes at most until a signal that this process sends itself has stopped it. */
const STOPPED_MS = 50;

/** Lets others put the terminal in order before the process is suspended as it would have been anyway. */
export function watchSuspension(): (suspension: Suspension) => () => void {
  const known = new Set<Suspension>();
  let goingOn: NodeJS.Timeout | undefined;
  const after = (): void => {
    for (const suspension of known) suspension.after();
  };
  const suspend = (): void => {
    for (const suspension of known) suspension.before();
    process.removeListener("SIGTSTP", suspend);
    process.kill(process.pid, "SIGTSTP");
    // Where nobody could wake it up the system does not stop it at all, so its going on is not reported by a signal.
    goingOn = setTimeout(() => {
      if (known.size > 0) process.on("SIGTSTP", suspend);
      after();
    }, STOPPED_MS);
  };
  return (suspension) => {
    if (known.size === 0) {
      process.on("SIGTSTP", suspend);
      process.on("SIGCONT", after);
    }
    known.add(suspension);
    return () => {
      known.delete(suspension);
      if (known.size > 0) return;
      clearTimeout(goingOn);
      process.removeListener("SIGTSTP", suspend);
      process.removeListener("SIGCONT", after);
    };
  };
}
