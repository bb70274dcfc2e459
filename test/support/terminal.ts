/** A terminal in this process, with a person who presses keys: what is printed is kept, and keys are pressed when somebody listens. */
import { setTimeout as delay } from "node:timers/promises";
import type { Keyboard, KeyListener, Screen } from "../../src/terminal/command.ts";
import type { Terminal } from "../../src/terminal-session.ts";
import { executable } from "./relais.ts";

interface TerminalWish {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns?: number;
  /** Whether a person can type. */
  readonly hasKeyboard?: boolean;
  readonly signal?: AbortSignal;
  /** Does what Ctrl-C does. */
  readonly onInterrupt?: () => void;
}

interface PersonAtTerminal {
  readonly terminal: Terminal;
  readonly text: () => string;
  /** Waits until keys are read, and presses one. */
  readonly press: (key: string) => Promise<void>;
  /** Waits until this is printed, and forgets it with everything before it. */
  readonly sees: (text: string | RegExp) => Promise<void>;
  readonly isListening: () => boolean;
}

export function sitAtTerminal(wish: TerminalWish): PersonAtTerminal {
  const { columns = 80, hasKeyboard = true, signal = new AbortController().signal } = wish;
  let text = "";
  let listener: KeyListener | null = null;
  let seen = 0;
  const keyboard: Keyboard = {
    listen: (next) => {
      listener = next;
      return () => {
        if (listener === next) listener = null;
      };
    },
    interrupt: () => wish.onInterrupt?.(),
  };
  const screen: Screen = {
    size: () => ({ columns, rows: 30 }),
    onResize: () => () => {},
    onSuspend: () => () => {},
    lend: (use) => use(),
  };
  const out = (part: string | Uint8Array): void => {
    text += Buffer.from(part).toString("utf8");
  };
  const waitForListener = async (): Promise<KeyListener> => {
    for (let tries = 0; tries < 600; tries += 1) {
      if (listener !== null) return listener;
      await delay(25);
    }
    throw new Error(`nobody reads keys: ${text}`);
  };
  return {
    terminal: {
      cwd: wish.cwd,
      out,
      err: out,
      isTerminal: true,
      columns,
      screen,
      keyboard: hasKeyboard ? keyboard : null,
      env: wish.env,
      relais: [process.execPath, executable],
      signal,
    },
    text: () => text,
    press: async (key) => {
      const heard = await waitForListener();
      if (key === "leave") heard.onLeave?.();
      else heard.onKey(key);
    },
    sees: async (wanted) => {
      const find = () => {
        const rest = text.slice(seen);
        const found = typeof wanted === "string" ? rest.indexOf(wanted) : rest.search(wanted);
        return found === -1 ? null : seen + found + 1;
      };
      for (let tries = 0; tries < 4000 && find() === null; tries += 1) await delay(25);
      const found = find();
      if (found === null) throw new Error(`${String(wanted)} was not printed: ${text.slice(seen)}`);
      seen = found;
    },
    isListening: () => listener !== null,
  };
}
