import { expect, test } from "vitest";
import { chooseAnswer } from "../../src/base/choose-answer.ts";

test.each([
  ["2", ["this", "That"], { kind: "answer", text: "That", choice: 2 }],
  [" that ", ["this", "That"], { kind: "answer", text: "That", choice: 2 }],
  ["Neither.", ["this", "that"], { kind: "answer", text: "Neither.", choice: null }],
  ["3", ["this", "that"], { kind: "no-such-choice", count: 2 }],
  ["0", ["this", "that"], { kind: "no-such-choice", count: 2 }],
  ["8", ["4", "8"], { kind: "answer", text: "8", choice: 2 }],
  ["1", ["4", "8"], { kind: "answer", text: "4", choice: 1 }],
  ["3", [], { kind: "answer", text: "3", choice: null }],
] as const)("%s to %j", (words, choices, answer) => {
  expect(chooseAnswer(words, choices)).toEqual(answer);
});
