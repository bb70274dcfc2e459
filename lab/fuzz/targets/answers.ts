import assert from "node:assert/strict";
import * as v from "valibot";
import type { FuzzTarget } from "../target.ts";
import { Task } from "../../../src/records/task.ts";
import { extractAnswer, extractJson, parseDocument } from "../../../src/base/strict-json.ts";
import { answerExcerpt, readTaskAnswer } from "../../../src/tick/pure/read-task-answer.ts";
import { readGoalDecision } from "../../../src/workflows/pure/read-goal-decision.ts";
import { readTree } from "../../../src/workflows/pure/read-tree.ts";
import { executeTask } from "../../../test/support/tasks.ts";

const TREE = {
  version: 1,
  root: { id: "root", title: "All", passes: false, children: [{ id: "a", title: "A", passes: true, children: [] }] },
};
const DECISION = { decision: "blocked", explanation: "no", gaps: ["one"], blocker: "x", blocker_id: "b" };

/** What agents answer: one JSON object, bare, in a fence or in prose. */
export const answers: FuzzTarget = {
  name: "answers",
  seeds: () => {
    const json = JSON.stringify(executeTask);
    const texts = [
      json,
      `Here:\n\`\`\`json\n${json}\n\`\`\`\nbye`,
      JSON.stringify(TREE),
      JSON.stringify(DECISION),
      `x {"a":1} y`,
    ];
    return texts.map((text) => Buffer.from(text));
  },
  words: ["```json\n", "\n```", "~~~", '{"a":', '"a":1,"a":2', "children", "decision"],
  check: (data) => {
    const answer = extractAnswer(data);
    if (answer.kind === "object") {
      assert.equal(Object.getPrototypeOf(answer.value), Object.prototype);
      readGoalDecision(answer.value);
    }
    const bare = extractJson(data);
    if (bare.kind === "object") assert.equal(answer.kind, "object", "an object that the looser reader refuses");
    const document = parseDocument(data);
    if (document.kind === "document") assert.deepEqual(document.value, JSON.parse(new TextDecoder().decode(data)));
    const read = readTaskAnswer(data);
    if (read.kind === "task") v.parse(Task, read.task);
    assert(answerExcerpt(data).length <= 1000);
    readTree(data);
  },
};
