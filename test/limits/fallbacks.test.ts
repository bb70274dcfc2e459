/** When an agent is out of quota, the next one of its role works, each session counts, and the card says so. */
import { expect, test } from "vitest";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";
import { play, type Scenario } from "../support/scenario.ts";

const UNTIL = "2099-01-01T00:00:00.000Z";
const refusedUnless = (model: string) =>
  `if [ "$RELAIS_MODEL" != ${model} ]; then echo "retry-at: ${UNTIL}" >&2; exit 75; fi`;
const second = { driver: "command", model: "second" };
const BUILD = `printf 'export const answer = 42;\\n' > src/main.ts\n${LEAVE_RESULT}`;
const REVIEW = `if [ "$RELAIS_ROLE" = reviewer ]; then
${refusedUnless("second")}
printf '{"decision":"approve","explanation":"Good.","reasons":[]}' > "$RELAIS_RESULT_PATH"; exit 0; fi
`;
const PLAN = `${refusedUnless("second")}
printf '%s' '{"task_id":"T-1","milestone_id":"M-1","control":{"action":"continue"}}' > "$RELAIS_RESULT_PATH"`;

const CASES: readonly Scenario[] = [
  {
    shows: "a builder out of quota: the next one goes on from what lies there",
    program: `if [ "$RELAIS_MODEL" != second ]; then echo 41 > src/main.ts; fi\n${refusedUnless("second")}\ngrep -q 41 src/main.ts && grep -q "An earlier session" "$RELAIS_PROMPT_PATH" && ${BUILD}`,
    config: { roles: { builder: { fallbacks: [second] } } },
    ends: {
      code: "SUCCESS",
      changed: ["src/main.ts"],
      report: {
        budgets: { builder_calls: 2 },
        notes: expect.arrayContaining([
          `The builder command is out of quota (rate_limited) until ${UNTIL}, so command worked in its place`,
        ]),
      },
    },
  },
  {
    shows: "all of them out of quota: a wait, with its time in the report",
    program: refusedUnless("nobody"),
    config: { roles: { builder: { fallbacks: [second] } } },
    ends: { code: "STOP_RATE_LIMITED", report: { retry_at: UNTIL, budgets: { builder_calls: 0 } } },
  },
  {
    shows: "an orchestrator out of quota",
    program: BUILD,
    brain: PLAN,
    config: { roles: { orchestrator: { fallbacks: [second] } } },
    ends: { code: "SUCCESS", report: { budgets: { orchestrator_calls: 2 } } },
  },
  {
    shows: "a reviewer out of quota",
    program: `${REVIEW}${BUILD}`,
    config: { review: { reviewers: ["risk"] }, roles: { reviewer: { fallbacks: [second] } } },
    ends: {
      code: "SUCCESS",
      changed: ["src/main.ts"],
      report: { review: { approved: true }, budgets: { reviewer_calls: 2 } },
    },
  },
  {
    shows: "a fallback that is not installed is named before anybody is paid",
    program: BUILD,
    config: {
      roles: { builder: { fallbacks: [{ driver: "codex" }] } },
      builder: { codex: { command: "no-such-codex" } },
    },
    ends: { code: "BLOCKED_BUILDER_COMMAND_NOT_FOUND", message: /no-such-codex/ },
  },
];

test.each(CASES.map((one) => [one.shows, one] as const))("%s", (_, scenario) =>
  expect(play(scenario)).resolves.toBeUndefined(),
);

test("a limit shows its end on the card and in status", () =>
  play({
    shows: "",
    program: refusedUnless("nobody"),
    ends: {
      code: "STOP_RATE_LIMITED",
      after: async (world) => {
        const status = await world.relais(["status"]);
        expect(status.stdout.replaceAll(/\s+/g, " ")).toContain(`its service refuses until ${UNTIL}`);
        const document: unknown = JSON.parse((await world.relais(["status", "--json"])).stdout);
        expect(document).toMatchObject({ last_tick: { retry_at: UNTIL } });
        const card = await world.relais(["history", "show"]);
        expect(card.stdout.replaceAll(/\s+/g, " ")).toContain(`retry from ${UNTIL}`);
      },
    },
  }));
