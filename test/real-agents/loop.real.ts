/** Whole loops with the real programs, and a limit of their service in the middle. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { ENVELOPE_KEY } from "../../src/agents/claude-arguments.ts";
import type { Fault, Turn } from "../model-api/script.ts";
import {
  checkAfterSeries,
  control,
  inLoopWorld,
  type LoopRan,
  type LoopWorld,
  readLoop,
} from "../support/loop-world.ts";
import { laidOver, RESULT } from "../support/scenario-documents.ts";
import type { Variables } from "../support/scenario-world.ts";
import { agentTask } from "./agent-tick.ts";
import { type Agent, type Scripts, serveModels } from "./agent-world.ts";

const PLANS = "You plan for relais";
const BUILDS = "You build for relais";
const REVIEWS = "You review";
const STOP = control("stop", "All is done.");
const APPROVAL = {
  [ENVELOPE_KEY]: { decision: "approve", explanation: "It does what was asked.", reasons: [] },
};

/** The n-th step: another file of the source gets the answer. */
const step = (hands: Agent, n: number): object => Object(agentTask(hands, { task_id: `T-${n}`, intent: `Step ${n}.` }));
const line = (n: number): string => `export const answer = 42; // ${n}`;
const lineBefore = (n: number): string => (n === 1 ? "export const answer = 41;" : line(n - 1));

const CLAUDE = {
  plans: (task: object): Turn => ({
    when: [PLANS],
    calls: [{ tool: "StructuredOutput", input: { [ENVELOPE_KEY]: task } }],
  }),
  builds: (n: number): readonly Turn[] => [
    { when: [BUILDS], calls: [{ tool: "Read", input: { file_path: "src/main.ts" } }] },
    {
      when: [BUILDS],
      calls: [
        {
          tool: "Edit",
          input: { file_path: "src/main.ts", old_string: lineBefore(n), new_string: line(n) },
        },
      ],
    },
    { when: [BUILDS], calls: [{ tool: "StructuredOutput", input: { ...RESULT } }] },
  ],
};
const CODEX = {
  plans: (task: object): Turn => ({ when: [PLANS], json: task }),
  builds: (n: number): readonly Turn[] => [
    {
      when: [BUILDS],
      calls: [
        {
          tool: "apply_patch",
          input: `*** Begin Patch\n*** Update File: src/main.ts\n@@\n-${lineBefore(n)}\n+${line(n)}\n*** End Patch\n`,
        },
      ],
    },
    { when: [BUILDS], json: RESULT },
  ],
};

/** With an account, and not a key, the program is told by the service when its limit is lifted. */
const ACCOUNT: Variables = {
  ANTHROPIC_API_KEY: undefined,
  CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-worthless",
};
const usedUp = (seconds: number): Fault => ({
  kind: "status",
  status: 429,
  headers: {
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
    "anthropic-ratelimit-unified-reset": String(Math.ceil(Date.now() / 1000) + seconds),
  },
});

/** How the other service says it: in the middle of an answer, with the time in a sentence. */
const REFUSED_FOR_NOW: Fault = {
  kind: "page",
  contentType: "text/event-stream",
  text: `event: response.failed\ndata: ${JSON.stringify({
    type: "response.failed",
    response: {
      id: "resp_refused",
      status: "failed",
      error: { code: "rate_limit_exceeded", message: "Rate limit reached. Please try again in 4s." },
    },
  })}\n\n`,
};

interface AgentLoop {
  readonly agent: Agent;
  readonly scripts: Scripts;
  readonly config?: object;
  readonly variables?: Variables;
}

type Loop = (args?: readonly string[]) => Promise<LoopRan>;

/** A world in which one program plans and builds; what holds after every series is checked for each loop. */
async function inAgentLoop(
  { agent, scripts, config = {}, variables = {} }: AgentLoop,
  work: (world: LoopWorld, loop: Loop, env: Variables) => Promise<void>,
): Promise<void> {
  const models = await serveModels(scripts);
  const own = {
    roles: { orchestrator: { driver: agent } },
    builder: { default_mode: agent },
    models: { orchestrator_fallback_model: null, builder_fallback_model: null },
  };
  try {
    await inLoopWorld({ plans: [], onDisk: true, config: Object(laidOver(own, config)) }, async (world) => {
      const env = { ...models.settle(world), ...variables };
      const loop: Loop = async (args = []) => {
        const ran = await world.loop(args, env);
        checkAfterSeries(world, ran);
        models.check(world);
        return ran;
      };
      await work(world, loop, env);
    });
  } finally {
    await models.close();
  }
}

const codes = ({ reports }: LoopRan): readonly string[] => reports.map(({ code }) => code);
const WAITING = /waiting for a rate limit until (\S+),/;

/** When the n-th tick was begun, by the journal. */
function begun({ journal }: LoopWorld, n: number): number {
  const starts = journal().filter(({ event }) => event.type === "tick_started");
  return Date.parse(starts[n - 1]?.at ?? "");
}

test("Claude Code plans and builds one step after the other, and a limit of its account is waited out", () =>
  inAgentLoop(
    {
      agent: "claude_code",
      variables: ACCOUNT,
      scripts: {
        claude: [
          CLAUDE.plans(step("claude_code", 1)),
          ...CLAUDE.builds(1),
          { when: [PLANS], fault: () => usedUp(5) },
          CLAUDE.plans(step("claude_code", 2)),
          ...CLAUDE.builds(2),
          CLAUDE.plans(STOP),
        ],
      },
    },
    async (world, loop) => {
      const ran = await loop();
      expect(codes(ran)).toEqual(["SUCCESS", "STOP_RATE_LIMITED", "SUCCESS", "SUCCESS"]);
      expect(ran.reports[1]).toMatchObject({ cause: "orchestrator_usage_limit" });
      const moment = WAITING.exec(ran.stderr)?.[1] ?? "";
      expect(begun(world, 3)).toBeGreaterThanOrEqual(Date.parse(moment));
      expect(ran.summary).toMatchObject({
        end: "complete",
        commits_total: 2,
        budgets: { ticks: 3, orchestrator_calls: 3, builder_calls: 2 },
      });
      expect(world.read("src/main.ts")).toBe(`${line(2)}\n`);
    },
  ));

test("codex plans and builds one step after the other, and a limit of the API is waited out", () =>
  inAgentLoop(
    {
      agent: "codex",
      scripts: {
        codex: [
          CODEX.plans(step("codex", 1)),
          ...CODEX.builds(1),
          CODEX.plans(step("codex", 2)),
          { when: [BUILDS], fault: REFUSED_FOR_NOW },
          CODEX.plans(step("codex", 2)),
          ...CODEX.builds(2),
          CODEX.plans(STOP),
        ],
      },
    },
    async (world, loop) => {
      const ran = await loop();
      expect(codes(ran)).toEqual(["SUCCESS", "STOP_RATE_LIMITED", "SUCCESS", "SUCCESS"]);
      expect(ran.reports[1]).toMatchObject({ cause: "api_error_429", settle: { action: "rollback" } });
      expect(world.journal()).toContainEqual(
        expect.objectContaining({
          event: expect.objectContaining({ type: "build_ended", until: expect.any(String) }),
        }),
      );
      const moment = WAITING.exec(ran.stderr)?.[1] ?? "";
      expect(begun(world, 3)).toBeGreaterThanOrEqual(Date.parse(moment));
      expect(ran.summary).toMatchObject({ end: "complete", commits_total: 2, budgets: { ticks: 3 } });
      expect(world.read("src/main.ts")).toBe(`${line(2)}\n`);
    },
  ));

test("a limit that reviewers run into is waited out as well, and survives Ctrl-C and another start", () =>
  inAgentLoop(
    {
      agent: "claude_code",
      variables: ACCOUNT,
      config: { review: { reviewers: ["risk"] } },
      scripts: {
        claude: [
          CLAUDE.plans(step("claude_code", 1)),
          ...CLAUDE.builds(1),
          { when: [REVIEWS], fault: () => usedUp(20) },
          CLAUDE.plans(step("claude_code", 1)),
          ...CLAUDE.builds(1),
          { when: [REVIEWS], calls: [{ tool: "StructuredOutput", input: APPROVAL }] },
          CLAUDE.plans(STOP),
        ],
      },
    },
    async (world, loop, env) => {
      const first = world.start(["loop", "--json"], env);
      const said = { text: "" };
      first.process.stderr?.on("data", (text: string) => (said.text += text));
      const ended = { is: false };
      void first.ended.then(() => (ended.is = true));
      while (!WAITING.test(said.text) && !ended.is) await delay(50);
      first.process.kill("SIGINT");
      const cut = readLoop(await first.ended);
      checkAfterSeries(world, cut);
      expect(cut.summary).toMatchObject({ end: "interrupted", exit_status: 130, budgets: { ticks: 0 } });
      expect(cut.reports).toMatchObject([{ code: "STOP_RATE_LIMITED", cause: "reviewer_usage_limit" }]);
      const again = await loop();
      const moment = WAITING.exec(said.text)?.[1] ?? "none";
      expect(again.stderr).toContain(moment);
      expect(begun(world, 2)).toBeGreaterThanOrEqual(Date.parse(moment));
      expect(codes(again)).toEqual(["SUCCESS", "SUCCESS"]);
      expect(again.summary).toMatchObject({ end: "complete", series_id: cut.summary.series_id });
    },
  ));

test("a limit that nobody is to wait for ends the loop, with the status that says so", () =>
  inAgentLoop(
    {
      agent: "claude_code",
      variables: ACCOUNT,
      config: { loop: { on_rate_limit: "stop" } },
      scripts: { claude: [{ when: [PLANS], fault: () => usedUp(3600) }] },
    },
    async (world, loop) => {
      const ran = await loop();
      expect(ran.status).toBe(13);
      expect(ran.summary).toMatchObject({
        end: "stopped",
        reason: "STOP_RATE_LIMITED",
        budgets: { ticks: 0 },
      });
      expect(world.git("status", "--porcelain")).toBe("");
    },
  ));
