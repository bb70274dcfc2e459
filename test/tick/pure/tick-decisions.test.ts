import { expect, test } from "vitest";
import type { TickEvent } from "../../../src/records/event.ts";
import { InvariantError } from "../../../src/base/errors.ts";
import { evolve } from "../../../src/tick/pure/evolve.ts";
import { START } from "../../../src/tick/pure/tick-state.ts";
import { whole } from "../../support/journals.ts";
import { TICKS } from "../../support/ticks.ts";

const accept: TickEvent = { type: "accepted", commit: "a".repeat(40), branch: "topic" };
const undo: TickEvent = { type: "undone" };

const fold = (kind: keyof typeof TICKS, decisions: readonly TickEvent[]) =>
  [...whole(TICKS[kind]), ...decisions].reduce(evolve, START);

test.each([
  ["accepted", [accept, undo]],
  ["accepted", [undo]],
  ["committed", [undo]],
] as const)("the change of a tick that was %s can be decided about", (kind, decisions) => {
  expect(fold(kind, decisions)).toMatchObject({ phase: "done", isUndone: true });
});

test.each([
  ["accepted", [accept, accept]],
  ["accepted", [undo, undo]],
  ["accepted", [undo, accept]],
  ["committed", [accept]],
  ["outsideScope", [accept]],
  ["outsideScope", [undo]],
  ["dirty", [undo]],
] as const)("of a tick that was %s nobody decides %j", (kind, decisions) => {
  expect(() => fold(kind, decisions)).toThrow(InvariantError);
});

test("nothing is decided about a change before its tick is over", () => {
  for (const event of [accept, undo])
    expect(() => [...TICKS.accepted, event].reduce(evolve, START)).toThrow(InvariantError);
});

const abandon: TickEvent = { type: "abandoned", message: "it is lost" };

test("a tick can be given up at any point of it, also when nothing else is known of it", () => {
  const events = whole(TICKS.accepted).slice(0, -1);
  for (const length of events.keys()) {
    const state = [...events.slice(0, length), abandon].reduce(evolve, START);
    expect(state).toMatchObject({ phase: "end", outcome: { code: "STOP_INTERRUPTED", cause: "abandoned" } });
  }
});

test("a tick that is over cannot be given up", () => {
  expect(() => fold("accepted", [abandon])).toThrow(InvariantError);
});
