/** What reviewers can say and do, and what becomes of the change then. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Scenario } from "../support/scenario.ts";
import { GOOD_EDIT, LEAVE_RESULT, RESULT } from "../support/scenario-documents.ts";

const DONE = ["src/main.ts"];
const decision = (word: "approve" | "refuse", ...reasons: string[]) => ({
  do: "result",
  content: { decision: word, explanation: `I ${word}.`, reasons },
});
const APPROVE = [decision("approve")];
const REFUSE = [decision("refuse", "src/main.ts:1 has no test")];

/** Reviewers that play a script, by their names. */
function scripted(reviewers: Readonly<Record<string, readonly object[]>>, review: object = {}) {
  const steps = [GOOD_EDIT, { do: "result", content: RESULT }];
  return {
    config: { review: { reviewers: Object.keys(reviewers), ...review } },
    task: { builder: { instructions: JSON.stringify({ steps, reviewers }) } },
  };
}

/** A program that builds, and reviews as the arms of a case by reviewer say. */
const programmed = (arms: string) =>
  [
    'if [ "$RELAIS_ROLE" = builder ]; then',
    "printf 'export const answer = 42;\\n' > src/main.ts",
    LEAVE_RESULT.trim(),
    "exit 0; fi",
    `say() { printf '{"decision":"%s","explanation":"Looked.","reasons":["r"]}' "$1" > "$RELAIS_RESULT_PATH"; }`,
    `case "$RELAIS_REVIEWER" in`,
    arms,
    "esac",
    "",
  ].join("\n");
const review = (names: readonly string[], rest: object = {}) => ({
  review: { reviewers: names, ...rest },
});

const REFUSED = {
  code: "STOP_REVIEW_REFUSED",
  report: {
    settle: { action: "rollback" },
    pointers: { salvage: expect.any(String) },
    review: { approved: false },
  },
} as const;
const vote = (name: string, word: string, cause: string | null = null) =>
  expect.objectContaining({ name, vote: word, cause });
const votes = (...reviewers: readonly unknown[]) => ({ review: { reviewers } });

export const REVIEW: readonly Scenario[] = [
  {
    shows: "a reviewer who approves, with the decision and the transcript in the history",
    ...scripted({ risk: [{ do: "print", text: "looking\n" }, ...APPROVE] }),
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: {
        review: { approved: true, quorum: 1, reviewers: [vote("risk", "approve")] },
        budgets: { reviewer_calls: 1 },
        settle: { action: "accept" },
      },
      after: ({ read }, { report }) => {
        const folder = report?.pointers.history_dir ?? "";
        expect(JSON.parse(read(`${folder}/reviewer-risk.decision`))).toEqual(decision("approve").content);
        expect(read(`${folder}/reviewer-risk.log`)).toContain("looking");
        expect(JSON.parse(read(`${folder}/meta.json`))).toMatchObject({ drivers: { reviewer: "scripted" } });
        expect(read("relais/REPORT.md")).toMatch(/## Review\n\n- 1 approvals, 1 needed\n- ✓ risk approves/);
      },
    },
  },
  {
    shows: "a reviewer who refuses: the work is put back and kept, with the reasons in the report",
    keys: ["review.reviewers"],
    ...scripted({ risk: REFUSE }),
    ends: {
      ...REFUSED,
      cause: "refused",
      message: /risk refuses: .*src\/main\.ts:1 has no test/,
      report: { ...REFUSED.report, review: { reviewers: [vote("risk", "refuse")] } },
    },
  },
  {
    shows: "two of three are enough where the configuration says so",
    keys: ["review.quorum"],
    ...scripted({ completion: APPROVE, evidence: REFUSE, risk: APPROVE }, { quorum: 2 }),
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: {
        review: { approved: true, quorum: 2 },
        budgets: { reviewer_calls: 3 },
      },
    },
  },
  {
    shows: "one of three is not enough where two have to agree",
    ...scripted({ completion: APPROVE, evidence: REFUSE, risk: REFUSE }, { quorum: 2 }),
    ends: { ...REFUSED, cause: "refused", message: /^1 of 2 needed approvals/ },
  },
  {
    shows: "what no reviewer can have meant is no valid answer",
    ...scripted({
      fenced: [{ do: "result", content: "```json\n" + JSON.stringify(APPROVE[0]?.content) + "\n```\n" }],
      garbage: [{ do: "result", content: "I approve." }],
      silent: [],
      strange: [{ do: "result", content: { ...APPROVE[0]?.content, approved: true } }],
      twice: [
        {
          do: "result",
          content: '{"decision":"refuse","decision":"approve","explanation":"x","reasons":[]}',
        },
      ],
      unreasoned: [decision("refuse")],
    }),
    ends: {
      ...REFUSED,
      cause: "votes_missing",
      report: {
        ...REFUSED.report,
        ...votes(
          vote("fenced", "approve"),
          vote("garbage", "none", "result_not_json"),
          vote("silent", "none", "result_missing"),
          vote("strange", "none", "decision_invalid"),
          vote("twice", "none", "result_duplicate_key"),
          vote("unreasoned", "none", "decision_invalid"),
        ),
      },
    },
  },
  {
    shows: "a reviewer that fails, one that dies and one that nobody wrote a part for have not approved",
    ...scripted({
      fails: [...APPROVE, { do: "exit", status: 3 }],
      dies: [{ do: "signal", signal: "SIGKILL" }],
    }),
    config: review(["fails", "dies", "absent"]),
    ends: {
      ...REFUSED,
      cause: "votes_missing",
      report: {
        ...REFUSED.report,
        ...votes(
          vote("fails", "none", "exit_3"),
          vote("dies", "none", "signal_SIGKILL"),
          vote("absent", "none", "script_invalid"),
        ),
      },
    },
  },
  {
    shows: "a reviewer that takes too long gave no valid answer, and the others decide",
    keys: ["roles.reviewer.timeout_seconds"],
    ...scripted({ slow: [{ do: "sleep", ms: 8000 }, ...APPROVE], risk: APPROVE }),
    config: { ...review(["slow", "risk"], { quorum: 1 }), roles: { reviewer: { timeout_seconds: 2 } } },
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: votes(vote("slow", "none", "timeout"), vote("risk", "approve")),
    },
  },
  {
    shows: "a reviewer that is silent for too long gave no valid answer",
    keys: ["roles.reviewer.idle_timeout_seconds"],
    ...scripted({ slow: [{ do: "sleep", ms: 6000 }, ...APPROVE] }),
    config: { ...review(["slow"]), roles: { reviewer: { idle_timeout_seconds: 1 } } },
    ends: { ...REFUSED, report: { ...REFUSED.report, ...votes(vote("slow", "none", "idle_timeout")) } },
  },
  {
    shows: "the deadline of the tick ends a review",
    ...scripted({ slow: [{ do: "sleep", ms: 60_000 }] }),
    config: { ...review(["slow"]), runner: { max_tick_seconds: 5 } },
    ends: { code: "STOP_TICK_TIMEOUT", report: { review: null, settle: { action: "rollback" } } },
  },
  {
    shows: "a program as a reviewer: it is told its part, the task, the change and how the checks ended",
    keys: ["roles.reviewer.driver"],
    program: programmed('*) cat > "$HOME/prompt"; say approve;;'),
    config: {
      ...review(["risk"]),
      builder: { default_mode: "scripted" },
      roles: { reviewer: { driver: "command" } },
    },
    task: { builder: { mode: "scripted", ...scripted({}).task.builder } },
    ends: {
      code: "SUCCESS",
      changed: DONE,
      after: ({ box }) => {
        const prompt = readFileSync(join(box, "home/prompt"), "utf8");
        expect(prompt).toContain("You are the reviewer risk. What could break");
        expect(prompt).toContain('"task_id": "T-1"');
        expect(prompt).toContain("+export const answer = 42;");
        expect(prompt).toContain('- exit status 0: "answer", command "grep -q 42 src/main.ts"');
        expect(prompt).toContain('"enum":["approve","refuse"]');
      },
    },
  },
  {
    shows: "a reviewer that writes loses its vote, its change is put back, and the candidate stays",
    program: programmed(
      [
        "risk) echo cheat >> src/main.ts; echo more > src/extra.ts; rm src/other.ts; git commit -qam mine; say approve;;",
        "*) git status > /dev/null; say approve;;",
      ].join("\n"),
    ),
    config: review(["completion", "risk", "tests"], { quorum: 2 }),
    ends: {
      code: "SUCCESS",
      changed: DONE,
      report: {
        review: {
          approved: true,
          reviewers: [
            vote("completion", "approve"),
            expect.objectContaining({
              name: "risk",
              vote: "none",
              cause: "wrote",
              wrote: expect.arrayContaining(["src/main.ts", "src/extra.ts", "src/other.ts"]),
            }),
            vote("tests", "approve"),
          ],
        },
      },
      after: async (world) => {
        expect(world.read("src/main.ts")).toBe("export const answer = 42;\n");
        expect((await world.relais(["salvage", "list"])).stdout).toContain("STOP_REVIEW_REFUSED");
      },
    },
  },
  {
    shows: "a reviewer that writes where everybody has to agree is a refusal",
    program: programmed("*) echo cheat > docs/guide.md; say approve;;"),
    config: review(["risk"]),
    ends: { ...REFUSED, cause: "votes_missing", message: /risk gave no valid answer \(wrote\)/ },
  },
  {
    shows: "side by side nobody can tell who wrote, so nobody of them has a vote",
    ...scripted(
      { risk: APPROVE, writer: [{ do: "write", path: "src/main.ts", text: "no" }, ...APPROVE] },
      { quorum: 1 },
    ),
    ends: {
      ...REFUSED,
      report: { ...REFUSED.report, ...votes(vote("risk", "none", "wrote"), vote("writer", "none", "wrote")) },
    },
  },
  {
    shows: "a reviewer that leaves a process behind which would write later",
    program: programmed("*) (sleep 2; echo late >> src/main.ts) & say approve;;"),
    config: review(["risk"]),
    ends: { code: "SUCCESS", changed: DONE, report: votes(vote("risk", "approve")) },
  },
  {
    shows: "a red check is not reviewed",
    program: programmed('*) touch "$HOME/asked"; say approve;;'),
    config: review(["risk"]),
    task: { verification: { fast: ["red"], slow: [] } },
    ends: {
      code: "STOP_VERIFY_FAILED_FAST",
      report: { review: null, budgets: { reviewer_calls: 0 } },
      after: ({ box }) => expect(existsSync(join(box, "home/asked"))).toBe(false),
    },
  },
  ...(["per_milestone", "per_run"] as const).map((account): Scenario => ({
    shows: `reviewers that ${account} cannot pay for stop the tick before the builder is called`,
    keys: [`budgets.${account}.max_reviewer_calls`],
    ...scripted({ risk: APPROVE, tests: APPROVE }),
    config: { ...review(["risk", "tests"]), budgets: { [account]: { max_reviewer_calls: 1 } } },
    ends: {
      code: "BLOCKED_BUDGET_EXHAUSTED",
      cause: account === "per_run" ? "reviewer_calls_of_series" : "reviewer_calls",
      report: { budgets: { builder_calls: 0, reviewer_calls: 0 }, settle: null },
    },
  })),
  {
    shows: "a committed tick is committed only once it is approved",
    ...scripted({ risk: REFUSE }),
    config: { ...review(["risk"]), git: { commit: "always" } },
    ends: { ...REFUSED },
  },
  {
    shows: "a reviewer of whom something is asked that it cannot do is found out before anything begins",
    ...scripted({ risk: APPROVE }),
    config: { ...review(["risk"]), roles: { reviewer: { driver: "codex", fallback_models: ["other"] } } },
    ends: { code: "BLOCKED_MISSING_CONFIG", cause: "reviewer_unusable", isRefused: true },
  },
];
