/** A tmux server that nobody else knows, and a person who types into it. */
import { spawnSync } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { executable } from "./relais.ts";
import { FOR_SOCKETS, scratchFolder } from "./scratch-repository.ts";
import type { World } from "./scenario-world.ts";

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export type AskTmux = (...args: readonly string[]) => string;

/** Does something with a server of its own, and ends it. */
export async function withTmux(
  world: World,
  work: (tmux: AskTmux, env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const env = { TMUX_TMPDIR: scratchFolder(FOR_SOCKETS), TMUX: "" };
  const tmux: AskTmux = (...args) =>
    spawnSync("tmux", args, { env: { ...world.environment, ...env, TERM: "xterm" }, encoding: "utf8" }).stdout;
  try {
    await work(tmux, env);
  } finally {
    tmux("kill-server");
  }
}

/** Looks until it is true, for as long as a slow machine may need. */
export async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1200 && !isTrue(); tries += 1) await delay(100);
  expect(isTrue()).toBe(true);
}

interface Typist {
  readonly shown: () => string;
  /** Types an answer once the question stands in the last line. */
  readonly answer: (question: string, text: string) => Promise<void>;
  readonly press: (key: string) => void;
}

/** Starts relais in a terminal of its own. */
export function typist(world: World, tmux: AskTmux, args: readonly string[]): Typist {
  const name = `ask-${Math.random().toString(36).slice(2)}`;
  const line = [process.execPath, executable, ...args];
  // In one go, because a program may have ended before anybody could say that its pane shall stay.
  const stay = ["start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";"];
  tmux(...stay, "new-session", "-d", "-s", name, "-x", "150", "-y", "60", "-c", world.root, ...line);
  const shown = () => tmux("capture-pane", "-p", "-J", "-S", "-", "-t", name);
  return {
    shown,
    answer: async (question, text) => {
      await until(() => shown().trimEnd().split("\n").at(-1)?.includes(question) === true);
      tmux("send-keys", "-t", name, "-l", text);
      tmux("send-keys", "-t", name, "Enter");
    },
    press: (key) => void tmux("send-keys", "-t", name, key),
  };
}

/** The titles of the panes of a session, in their order. */
export const listTitles = (tmux: AskTmux, session: string): readonly string[] =>
  tmux("list-panes", "-s", "-t", `=${session}`, "-F", "#{pane_title}").trim().split("\n");
