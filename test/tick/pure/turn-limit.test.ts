import { expect, test } from "vitest";
import { findTurnLimit } from "../../../src/tick/pure/turn-limit.ts";

const KEY = "roles.builder.max_turns";
const OF_TASK = "builder.max_turns of the task";

interface Case {
  readonly shows: string;
  readonly configured: number | null;
  readonly asked: number | null;
  readonly isOwnTask?: boolean;
  readonly usual?: number | null;
  readonly is: { readonly max: number; readonly key: string } | null;
}

test.each<Case>([
  {
    shows: "the configured number is what the agent gets",
    configured: 300,
    asked: null,
    is: { max: 300, key: KEY },
  },
  { shows: "an orchestrator may ask for fewer", configured: 300, asked: 6, is: { max: 6, key: OF_TASK } },
  { shows: "and not for more", configured: 10, asked: 300, is: { max: 10, key: KEY } },
  {
    shows: "not for more than the usual number either",
    configured: null,
    asked: 900,
    is: { max: 200, key: KEY },
  },
  { shows: "relay has a generous default", configured: null, asked: null, is: { max: 200, key: KEY } },
  { shows: "the other workflows have none", configured: null, asked: null, usual: null, is: null },
  {
    shows: "a person may ask for more than the usual number",
    configured: null,
    asked: 900,
    isOwnTask: true,
    is: { max: 900, key: OF_TASK },
  },
  {
    shows: "and not for more than they configured",
    configured: 10,
    asked: 900,
    isOwnTask: true,
    is: { max: 10, key: KEY },
  },
])("$shows", ({ configured, asked, isOwnTask = false, usual = 200, is }) => {
  const builder = {
    mode: "codex",
    instructions: "x",
    ...(asked === null ? {} : { max_turns: asked }),
  } as const;
  const question = { configured: { max: configured, key: KEY }, usual, task: { builder }, isOwnTask };
  expect(findTurnLimit(question)).toEqual(is);
});
