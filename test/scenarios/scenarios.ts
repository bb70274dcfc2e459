import type { Scenario } from "../support/scenario.ts";
import { BUILD } from "./build.ts";
import { FILTERS } from "./filters.ts";
import { GIT_DATA } from "./git-data.ts";
import { JUDGE } from "./judge.ts";
import { ORCHESTRATE } from "./orchestrate.ts";
import { ORCHESTRATE_TROUBLE } from "./orchestrate-trouble.ts";
import { PATCH } from "./patch.ts";
import { PLAN } from "./plan.ts";
import { PREFLIGHT } from "./preflight.ts";
import { REFUSED } from "./refused.ts";
import { REPORT } from "./report.ts";
import { REVIEW } from "./review.ts";
import { ROLLBACK } from "./rollback.ts";
import { SETTLE } from "./settle.ts";
import { VERIFY } from "./verify.ts";

/** All of them, for what is asked of the whole. */
export const SCENARIOS: readonly Scenario[] = [
  ...REFUSED,
  ...PREFLIGHT,
  ...PLAN,
  ...ORCHESTRATE,
  ...ORCHESTRATE_TROUBLE,
  ...BUILD,
  ...PATCH,
  ...JUDGE,
  ...VERIFY,
  ...GIT_DATA,
  ...REVIEW,
  ...SETTLE,
  ...FILTERS,
  ...ROLLBACK,
  ...REPORT,
];
