/** A loop that is sent a signal at a chosen moment. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { LoopRan, LoopWorld } from "./loop-world.ts";

const STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Starts a loop, waits until somebody in it says where they are, and sends a signal. */
export async function loopAndSignal(
  world: LoopWorld,
  signal: NodeJS.Signals,
  { args = [], isReady = () => existsSync(join(world.box, "home", "here")) }: Moment = {},
): Promise<Awaited<ReturnType<LoopWorld["relais"]>>> {
  const started = world.start(["loop", "--json", ...args]);
  const said = { text: "" };
  started.process.stdout?.on("data", (text: string) => (said.text += text));
  started.process.stderr?.on("data", (text: string) => (said.text += text));
  const ended = { is: false };
  void started.ended.then(() => (ended.is = true));
  while (!isReady(said.text) && !ended.is) await delay(20);
  expect(ended.is).toBe(false);
  started.process.kill(signal);
  return started.ended;
}

interface Moment {
  readonly args?: readonly string[];
  readonly isReady?: (said: string) => boolean;
}

/** It ended because of that signal, and says so. */
export function checkInterrupted(ran: LoopRan, signal: keyof typeof STATUS): void {
  expect(ran.status).toBe(STATUS[signal]);
  expect(ran.summary).toMatchObject({ end: "interrupted", exit_status: STATUS[signal] });
}

export const WAITING = /waiting for a rate limit until (\S+),/;
