import { expect, test } from "vitest";
import { listAskedCaps } from "../../../src/queue/pure/job-arguments.ts";

test("without a configuration, only the ticks that were asked for are known", () => {
  const unknown = { sessions: null, seconds: null, dollars: null };
  expect(listAskedCaps("run", null)).toEqual({ ticks: 1, ...unknown });
  expect(listAskedCaps("goal", 3)).toEqual({ ticks: 6, ...unknown });
  expect(listAskedCaps("loop", 5)).toEqual({ ticks: 5, ...unknown });
  expect(listAskedCaps("loop", null)).toEqual({ ticks: null, ...unknown });
});
