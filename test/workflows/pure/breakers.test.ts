/** What each row of verdicts comes to: the counter, the breakers, the model of the next worker, and the end. */
import { expect, test } from "vitest";
import * as v from "valibot";
import type { CampaignSettings } from "../../../src/records/campaign.ts";
import { Config } from "../../../src/config/config.ts";
import { chooseCampaignModels } from "../../../src/workflows/pure/campaign-settings.ts";
import { type CampaignState, NEW_CAMPAIGN } from "../../../src/workflows/pure/campaign-state.ts";
import { looked, SETTINGS, worked } from "../../support/campaign-ticks.ts";

const config = v.parse(Config, {});

/** `pass`, `ask`, `blocked`, or the criteria that fail. */
type Verdict = "pass" | "ask" | "blocked" | readonly string[];

const A = ["US-001 AC1"];
const B = ["US-001 AC2"];
const C = ["US-001 AC3"];
const RED = ["command test"];

function judged(state: CampaignState, verdict: Verdict): CampaignState {
  const claimed = worked(state, SETTINGS, { status: "verify" });
  if (typeof verdict !== "string") return looked(claimed, SETTINGS, { verdict: "fail", criteria: verdict });
  return looked(claimed, SETTINGS, { verdict: verdict === "ask" ? "request_info" : verdict });
}

/** After each verdict: `consecutive_failures` and the model of the next worker, or the end. */
function told(verdicts: readonly Verdict[], settings: CampaignSettings = SETTINGS): readonly string[] {
  let state: CampaignState = { ...NEW_CAMPAIGN, settings };
  return verdicts.map((verdict) => {
    state = judged(state, verdict);
    if (state.status !== "active") return `${state.failures} ${state.status}`;
    const { worker } = chooseCampaignModels(state, { config, settings });
    return `${state.failures} ${worker}${state.isLastTry ? " last" : ""}`;
  });
}

test.each<[string, readonly Verdict[], readonly string[]]>([
  ["a pass is no failure", ["pass"], ["0 sonnet"]],
  ["after a failure the next worker is stronger", [A], ["1 opus"]],
  ["a pass sets it back, and the model too", [A, "pass"], ["1 opus", "0 sonnet"]],
  ["the same criterion twice in a row: once more, then blocked", [A, A, A], ["1 opus", "2 opus last", "3 blocked"]],
  ["the last try may fail in another way, and is the last", [A, A, B], ["1 opus", "2 opus last", "3 blocked"]],
  ["a last try that passes is forgiven", [A, A, "pass", A], ["1 opus", "2 opus last", "0 sonnet", "1 opus"]],
  [
    "one of several criteria again",
    [
      [...A, ...B],
      [...B, ...C],
    ],
    ["1 opus", "2 opus last"],
  ],
  ["a red command twice", [RED, RED], ["1 opus", "2 opus last"]],
  [
    "three that have nothing in common: once more, then blocked",
    [A, B, C, A],
    ["1 opus", "2 opus", "3 opus last", "4 blocked"],
  ],
  ["the same one, but not in a row", [A, B, A], ["1 opus", "2 opus", "3 opus"]],
  ["a pass breaks a row", [A, "pass", A], ["1 opus", "0 sonnet", "1 opus"]],
  ["a pass breaks a row of three", [A, B, "pass", C], ["1 opus", "2 opus", "0 sonnet", "1 opus"]],
  ["a question alone changes nothing", ["ask"], ["0 sonnet"]],
  ["a question neither breaks a row nor adds to it", [A, "ask", A], ["1 opus", "1 opus", "2 opus last"]],
  ["nor a row of three", [A, "ask", B, "ask", C], ["1 opus", "1 opus", "2 opus", "2 opus", "3 opus last"]],
  [
    "a question in the last try leaves it the last",
    [A, A, "ask", B],
    ["1 opus", "2 opus last", "2 opus last", "3 blocked"],
  ],
  ["two questions in a row, a third is too much", ["ask", "ask", "ask"], ["0 sonnet", "0 sonnet", "0 blocked"]],
  ["a failure between questions", ["ask", "ask", A, "ask"], ["0 sonnet", "0 sonnet", "1 opus", "1 opus"]],
  ["a pass between questions", ["ask", "ask", "pass", "ask"], ["0 sonnet", "0 sonnet", "0 sonnet", "0 sonnet"]],
  ["blocked is blocked, and no failure", [A, "blocked"], ["1 opus", "1 blocked"]],
])("%s", (_, verdicts, expected) => {
  expect(told(verdicts)).toEqual(expected);
});

test("a model that a person named is used whatever happens", () => {
  expect(told([A, A], { ...SETTINGS, worker_model: "haiku" })).toEqual(["1 haiku", "2 haiku last"]);
});

test("a fix that changed too much is a failure of its own, and not one of what nobody looked at again", () => {
  const failed = judged({ ...NEW_CAMPAIGN, settings: SETTINGS }, A);
  const strayed = worked(failed, SETTINGS, { status: "verify", touched: ["src/stray.ts"] });
  expect([strayed.failures, strayed.isLastTry, strayed.chain]).toEqual([2, false, [A, ["traceability"]]]);
  expect(strayed.contract).toMatchObject({ issues: [{ criterion: A[0] }, { criterion: "traceability" }] });
  const again = worked(strayed, SETTINGS, { status: "verify", touched: ["src/stray.ts"] });
  expect([again.failures, again.isLastTry]).toEqual([3, true]);
  expect(again.contract).toMatchObject({ issues: { length: 2 } });
});

test("a fix that takes several workers is traced as a whole", () => {
  const failed = judged({ ...NEW_CAMPAIGN, settings: SETTINGS }, A);
  const begun = worked(failed, SETTINGS, { status: "continue", touched: ["src/stray.ts"] });
  expect([begun.failures, begun.due]).toEqual([1, []]);
  const strayed = worked(begun, SETTINGS, { status: "verify" });
  expect([strayed.failures, strayed.due, strayed.chain.at(-1)]).toEqual([2, [], ["traceability"]]);
  expect(worked(strayed, SETTINGS, { status: "verify" }).due).toEqual(["US-001"]);
});

test("a verifier without a verdict is asked again within bounds, and nobody has failed", () => {
  let state = worked(judged({ ...NEW_CAMPAIGN, settings: SETTINGS }, A), SETTINGS, { status: "verify" });
  const { chain } = state;
  const seen = [1, 2, 3, 4].map(() => {
    state = looked(state, SETTINGS, { verdict: "none" });
    return [state.restarts, state.status, state.failures, state.due];
  });
  expect(seen).toEqual([
    [1, "active", 1, ["US-001"]],
    [2, "active", 1, ["US-001"]],
    [3, "active", 1, ["US-001"]],
    [4, "blocked", 1, ["US-001"]],
  ]);
  expect(state.chain).toEqual(chain);
});
