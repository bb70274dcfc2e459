/** What one attempt came to, from the report that it printed. */
import type { Attempt } from "../../contract/documents/attempts.ts";
import { Report } from "../../contract/documents/report.ts";
import { parseWith } from "../../contract/schema/schema-error.ts";
import { type Code, CODES } from "../../contract/values/codes.ts";
import { isGreenRun } from "../../core/words/decisive-words.ts";

interface Begun {
  readonly number: number;
  readonly agent: Attempt["agent"];
  readonly durationMs: number;
}

export interface AttemptResult {
  readonly attempt: Attempt;
  /** Null if it printed none. */
  readonly report: Report | null;
}

type Document = Readonly<Record<string, unknown>> | null;

export function readAttempt({ number, agent, durationMs }: Begun, document: Document): AttemptResult {
  const parsed = document === null ? null : parseWith(Report, document);
  const begun = { number, agent, duration_ms: Math.round(durationMs), salvaged: false };
  if (parsed?.kind !== "valid") return { attempt: { ...begun, ...NOTHING, ...readFailure(document) }, report: null };
  const { value: report } = parsed;
  const { runs, runs_total: total } = report.verification;
  const { files_touched: files, lines_added, lines_deleted } = report.blast_radius;
  const attempt = {
    ...begun,
    run_id: report.run_id,
    verdict: report.verdict,
    code: report.code,
    checks: { passed: runs.filter(isGreenRun).length, total },
    votes: countVotes(report),
    files,
    lines: lines_added + lines_deleted,
    usage: sumUsage(report.usage),
    reviewer_calls: report.budgets.reviewer_calls,
  };
  return { attempt, report };
}

const NOTHING = {
  run_id: null,
  checks: { passed: 0, total: 0 },
  votes: null,
  files: 0,
  lines: 0,
  usage: null,
  reviewer_calls: 0,
};

/** A failure has a code, too; a process that was killed has nothing. */
function readFailure(document: Document): Pick<Attempt, "verdict" | "code"> {
  const code = document?.["code"];
  const known: Code = typeof code === "string" && isCode(code) ? code : "STOP_INTERRUPTED";
  return { code: known, verdict: CODES[known].verdict };
}

function isCode(code: string): code is Code {
  return Object.hasOwn(CODES, code);
}

function countVotes({ review }: Report): Attempt["votes"] {
  if (review === null) return null;
  const approved = review.reviewers.filter(({ vote }) => vote === "approve").length;
  return { approved, total: review.reviewers.length };
}

type Usage = NonNullable<Attempt["usage"]>;

/** What was not reported by any of them stays unknown. */
export function sumUsage(usages: readonly (Usage | null)[]): Usage | null {
  const known = usages.filter((usage) => usage !== null);
  if (known.length === 0) return null;
  const sum = (name: keyof Usage): number | null => {
    const values = known.flatMap((usage) => usage[name] ?? []);
    return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
  };
  return {
    input_tokens: sum("input_tokens"),
    cached_input_tokens: sum("cached_input_tokens"),
    output_tokens: sum("output_tokens"),
    cost_usd: sum("cost_usd"),
  };
}
