/**
 * What workers and verifiers leave for the runner. Each message has an address: campaign, iteration, kind, story, and a
 * nonce of this session. A message with another address belongs to another session.
 */
import * as v from "valibot";
import { limitedText, Positive } from "../base/quantity.ts";
import { CampaignSlug } from "./campaign.ts";

const list = <T extends v.GenericSchema>(item: T, maxLength = 40) => v.pipe(v.array(item), v.maxLength(maxLength));

const addressed = {
  slug: CampaignSlug,
  iteration: Positive,
  story: v.pipe(v.string(), v.regex(/^(?:US-\d{3}|ALL)$/, "a story is named like `US-001`, or `ALL`")),
  nonce: limitedText(100),
};

/** Every worker leaves one. */
export const CampaignSignal = v.strictObject({
  kind: v.literal("signal"),
  ...addressed,
  /** `continue`: there is more to do; `verify`: it is done and claimed; `blocked`: a person is needed. */
  status: v.picklist(["continue", "verify", "blocked"]),
  summary: limitedText(2000),
});
export type CampaignSignal = v.InferOutput<typeof CampaignSignal>;

export const CampaignClaim = v.strictObject({
  kind: v.literal("claim"),
  ...addressed,
  criteria: list(v.strictObject({ criterion: limitedText(40), evidence: limitedText(600) }), 400),
  /** The issue that each changed path is for; empty if there was nothing to fix. */
  changes: list(v.strictObject({ path: limitedText(1024), issue: Positive }), 500),
});
export type CampaignClaim = v.InferOutput<typeof CampaignClaim>;

const CampaignIssue = v.strictObject({
  /** Like `US-002 AC3`; issues of the runner have other names. */
  criterion: limitedText(80),
  severity: v.picklist(["critical", "major", "minor"]),
  description: limitedText(1000),
  fix_hint: v.nullable(limitedText(1000)),
});
export type CampaignIssue = v.InferOutput<typeof CampaignIssue>;

/** A verdict needs evidence, issues, questions or a blocker. */
export const CampaignVerdict = v.pipe(
  v.strictObject({
    kind: v.literal("verdict"),
    ...addressed,
    verdict: v.picklist(["pass", "fail", "request_info", "blocked"]),
    summary: limitedText(1200),
    evidence: list(limitedText(600)),
    issues: list(CampaignIssue),
    questions: list(limitedText(600), 20),
    blocker: v.nullable(limitedText(600)),
  }),
  v.forward(
    v.partialCheck(
      [["verdict"], ["evidence"]],
      ({ verdict, evidence }) => verdict !== "pass" || evidence.length > 0,
      "`pass` needs evidence",
    ),
    ["evidence"],
  ),
  v.forward(
    v.partialCheck(
      [["verdict"], ["issues"]],
      ({ verdict, issues }) => (verdict === "fail" ? issues.length > 0 : verdict !== "pass" || issues.length === 0),
      "`fail` names at least one issue, and `pass` none",
    ),
    ["issues"],
  ),
  v.forward(
    v.partialCheck(
      [["verdict"], ["questions"]],
      ({ verdict, questions }) => verdict !== "request_info" || questions.length > 0,
      "`request_info` asks at least one question",
    ),
    ["questions"],
  ),
  v.forward(
    v.partialCheck(
      [["verdict"], ["blocker"]],
      ({ verdict, blocker }) => verdict !== "blocked" || blocker !== null,
      "`blocked` says what is in the way",
    ),
    ["blocker"],
  ),
);
export type CampaignVerdict = v.InferOutput<typeof CampaignVerdict>;

export const WorkerWords = v.strictObject({
  signal: CampaignSignal,
  claim: v.nullable(CampaignClaim),
  /** Null if it was not changed. */
  memory: v.nullable(v.string()),
  context: v.nullable(v.string()),
});
export type WorkerWords = v.InferOutput<typeof WorkerWords>;
