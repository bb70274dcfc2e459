/** A tick that holds its change for a person. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { JournalLine, type TickEvent } from "../../src/records/event.ts";
import type { World } from "./scenario-world.ts";

type HeldWorld = Pick<World, "box" | "state">;

export const ASK = { settle: "ask" } as const;

export function journalOf(world: HeldWorld): readonly JournalLine[] {
  const path = existsSync(join(world.box, "state", "relais")) ? join(world.state(), "journal.jsonl") : "";
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => v.parse(JournalLine, JSON.parse(line)));
}

export function eventsOf<T extends TickEvent["type"]>(
  world: HeldWorld,
  type: T,
): readonly Extract<TickEvent, { type: T }>[] {
  return journalOf(world)
    .map(({ event }) => event)
    .filter((event): event is Extract<TickEvent, { type: T }> => event.type === type);
}

/** Waits for the n-th question; answers with the id of its tick. */
export async function untilAsked(world: HeldWorld, n = 1): Promise<string> {
  for (;;) {
    const asked = journalOf(world).filter(({ event }) => event.type === "asked");
    const line = asked[n - 1];
    if (line !== undefined) return line.run_id;
    await delay(30);
  }
}

/** The requests that lie in the state directory. */
export const requestsIn = (world: HeldWorld): readonly string[] =>
  readdirSync(world.state()).filter((name) => name.endsWith("-request.json"));
