/** A change that would be kept and waits for a person, as a fold of its events. */
import { expect, test } from "vitest";
import type { TickEvent } from "../../../src/records/event.ts";
import { InvariantError } from "../../../src/base/errors.ts";
import { evolve } from "../../../src/tick/pure/evolve.ts";
import { START, type TickState } from "../../../src/tick/pure/tick-state.ts";
import { tickOf, until } from "../../support/live.ts";

const ASK = { ask: { timeout_seconds: 60 } };
const after = (...events: readonly TickEvent[]): TickState => events.reduce(evolve, START);

const events = until(tickOf("accepted", null, ASK), "verified");
const find = (type: TickEvent["type"]): TickEvent => {
  const event = events.find((one) => one.type === type);
  if (event === undefined) throw new Error(`the tick has no ${type}`);
  return event;
};
const [judged, verified] = [find("judged"), find("verified")];
const asked: TickEvent = { type: "asked", question: "q", until: "2026-02-01T00:00:00.000Z" };
const decided = (
  decision: "accept" | "reject" | "edit" | "none",
  { message = null, question = "q" }: { readonly message?: string | null; readonly question?: string } = {},
): TickEvent => ({ type: "decided", question, decision, message });
const waiting = after(...events, asked);

test("only the named question is answered, and a crash reverts the change", () => {
  expect(after(...events)).toMatchObject({ phase: "announce_ask", action: "accept", outcome: { code: "SUCCESS" } });
  expect(waiting).toMatchObject({ phase: "ask" });
  expect(evolve(waiting, decided("accept"))).toMatchObject({ phase: "announce_settle", action: "accept" });
  expect(() => evolve(waiting, decided("accept", { question: "another" }))).toThrow(InvariantError);
  const crash: TickEvent = { type: "interrupted", code: "STOP_INTERRUPTED", cause: "crash", message: null };
  expect(evolve(waiting, crash)).toMatchObject({ phase: "announce_settle", action: "rollback" });
});

test("a change that is rejected, or that nobody decides about, is rolled back", () => {
  expect(evolve(waiting, decided("reject", { message: "no" }))).toMatchObject({
    phase: "announce_settle",
    action: "rollback",
    outcome: { code: "STOP_REJECTED", message: "no" },
  });
  expect(evolve(waiting, decided("none"))).toMatchObject({ action: "rollback", outcome: { code: "STOP_UNDECIDED" } });
});

test("an edited change is judged, checked and asked about again, and nothing of before counts", () => {
  const again = evolve(waiting, decided("edit"));
  expect(again).toMatchObject({ phase: "judge", isEdited: true, built: find("build_ended") });
  expect("judged" in again || "verified" in again).toBe(false);
  const red: TickEvent = judged.type === "judged" ? { ...judged, code: "STOP_UNSAFE_PATH" } : judged;
  expect(evolve(again, red)).toMatchObject({ phase: "announce_settle", outcome: { code: "STOP_UNSAFE_PATH" } });
  const second = [judged, verified, { ...asked, question: "r" }].reduce(evolve, again);
  expect(second).toMatchObject({ phase: "ask", asked: { question: "r" } });
  expect(() => evolve(second, decided("accept"))).toThrow(InvariantError);
});

test("an edited patch is not written again", () => {
  const patched = events.map((event) =>
    event.type === "build_started" ? { ...event, driver: "patch" as const } : event,
  );
  const state = after(...until(patched, "judged"), { type: "written" }, verified, asked, decided("edit"));
  expect(evolve(state, judged)).toMatchObject({ phase: "verify" });
});

test("nobody is asked about nothing, or about a change that is reverted anyway", () => {
  const empty: TickEvent = judged.type === "judged" ? { ...judged, touched_paths: [], touched_paths_total: 0 } : judged;
  const before = until(events, "build_ended");
  expect(after(...before, empty, verified)).toMatchObject({ phase: "announce_settle", action: "accept" });
  const red: TickEvent = verified.type === "verified" ? { ...verified, code: "STOP_VERIFY_FAILED_FAST" } : verified;
  expect(after(...before, judged, red)).toMatchObject({ phase: "announce_settle", action: "rollback" });
});
