import { expect, test } from "vitest";
import { demoClosing, demoOpening, sceneEnding, sceneOpening } from "../../src/view/demo-text.ts";
import { plainStyle } from "../../src/view/style.ts";
import { displayWidth } from "../../src/view/wrap-text.ts";
import { reportOf, TICKS } from "../support/ticks.ts";

const place = { folder: "/tmp/d", root: "/tmp/d/it's a shop", wrapper: "/tmp/d/relais", scenes: 2 };
const scene = {
  title: "A title",
  asked: "Do something that takes a few words to be said, and then a few more.",
  does: ["does it", "and does something else that nobody asked for, at some length"],
  says: "Done.",
  code: "SUCCESS",
} as const;
const look = (head: string, sha256: string, status: readonly string[] = []) => ({
  head: head.repeat(40),
  status,
  fingerprint: { sha256, files: 12 },
});
const outcome = {
  scene,
  report: reportOf(TICKS.accepted),
  killedBy: "SIGKILL",
  damage: [" M src/\u001b[31mtill"],
  before: look("a", "1"),
  after: look("b", "2", ["?? left"]),
  committed: null,
  isAsTold: false,
};

test("what is not as it should be is said without grace", () => {
  const canvas = { style: plainStyle, columns: 100 };
  const text = sceneEnding(outcome, canvas);
  expect(text).toContain("✗ NOT so: 12 files, git's own data included, are byte for byte as before");
  expect(text).toContain("✗ NOT so: HEAD is still bbbbbbbbbbbb");
  expect(text).toContain("✗ NOT so: git status is clean");
  expect(text).toContain("This is not how it should have ended");
  const closing = demoClosing({ place, outcomes: [outcome], durationMs: 3210 }, canvas);
  expect(closing).toContain("0 of 2 came out as they should, in 3.2 s.");
  expect(closing).toContain(String.raw`cd '/tmp/d/it'\''s a shop'`);
});

test("names from the repository cannot speak to the terminal", () => {
  expect(sceneEnding(outcome, { style: plainStyle, columns: 80 })).not.toContain("\u001b");
});

test("it fits a narrow terminal, but for commands that must stay whole", () => {
  const canvas = { style: plainStyle, columns: 44 };
  const text = [
    demoOpening(place, canvas),
    sceneOpening({ scene, at: 1 }, canvas),
    sceneEnding(outcome, canvas),
    demoClosing({ place: { ...place, root: "/tmp/d/shop" }, outcomes: [outcome], durationMs: 1 }, canvas),
  ].join("");
  expect(text.split("\n").filter((line) => displayWidth(line) > 44)).toEqual([]);
});
