/** What an agent does in the worktree, and what it answers. */
import type { SessionReply, SessionRole } from "../../../src/agents/driver.ts";
import type { RunningTick } from "../../../src/tick/running-tick.ts";
import { writeAnswer, writeResult, writeReview } from "./agent-answers.ts";
import type { SimulatedProcess, World } from "./world.ts";

export interface AgentCall {
  readonly world: World;
  readonly process: SimulatedProcess;
  readonly session: RunningTick;
  readonly role: SessionRole;
  readonly name: string | null;
  readonly timeoutMs: number;
  /** What it leaves in its drop folder. */
  readonly files: Map<string, string>;
}

const ENDS = ["hangs", "idle", "crash", "limit", "limit", "quota", "undead", "garbage", "absent"] as const;

export async function answerSession(call: AgentCall): Promise<SessionReply> {
  const { world, process, role, timeoutMs } = call;
  const end = world.isBad() && world.random.below(2) === 0 ? world.pick(ENDS) : "well";
  const durationMs = end === "hangs" ? timeoutMs : Math.min(timeoutMs, 1000 + world.random.below(240_000));
  const parts = { durationMs, survivors: [], undead: [] };
  if (role === "builder") build(call);
  else if (world.isBad() && world.random.below(4) === 0) misbehave(call);
  await world.step(process, `the ${role} works`);
  world.advance(durationMs);
  const usage = makeUsage(world);
  if (end === "hangs" || durationMs >= timeoutMs) return { ...parts, kind: "timed-out", limit: "time" };
  switch (end) {
    case "idle":
      return { ...parts, kind: "timed-out", limit: "idle" };
    case "crash":
      return fail(parts, { code: "STOP_INTERRUPTED", cause: "exit_status" }, usage);
    case "quota":
      return fail(parts, { code: "STOP_INTERRUPTED", cause: "quota_exceeded" }, usage);
    case "limit":
      return { ...fail(parts, { code: "STOP_RATE_LIMITED", cause: "rate_limited" }, usage), ...chooseRetry(world) };
    case "undead":
      return { ...fail(parts, { code: "STOP_INTERRUPTED", cause: "exit_status" }, usage), ...UNDEAD };
    case "absent":
      return {
        ...parts,
        kind: "finished",
        usage,
        result: { kind: "absent", cause: "result_missing", message: "none" },
      };
    case "garbage":
      return { ...parts, kind: "finished", usage, result: { kind: "left", data: Buffer.from("{ no json") } };
    case "well":
      return { ...parts, kind: "finished", usage, result: { kind: "left", data: Buffer.from(write(call)) } };
    default:
      return end satisfies never;
  }
}

const UNDEAD = { undead: [{ pid: 4711, command: "agent" }] };

function fail(
  parts: Pick<SessionReply, "durationMs" | "survivors" | "undead">,
  { code, cause }: { readonly code: "STOP_INTERRUPTED" | "STOP_RATE_LIMITED"; readonly cause: string },
  usage: ReturnType<typeof makeUsage>,
) {
  return { ...parts, kind: "failed", code, cause, message: "it failed", usage } as const;
}

/** A service says when it answers again, now and then wrongly. */
function chooseRetry(world: World): { readonly until?: string } {
  const minutes = world.pick([null, null, 5, 50, -10, 600] as const);
  return minutes === null ? {} : { until: new Date(world.nowMs + minutes * 60_000).toISOString() };
}

function makeUsage(world: World) {
  if (world.random.below(6) === 0) return null;
  const cost_usd = world.random.below(4) === 0 ? null : world.random.below(100) / 100;
  return { input_tokens: 100, cached_input_tokens: null, output_tokens: 10, cost_usd };
}

function build(call: AgentCall): void {
  const { world } = call;
  if (!world.isBad()) {
    writeFile(call, `src/${world.pick(["a", "b", "c"])}.ts`);
    return;
  }
  const deed = world.pick(["nothing", "nothing", "outside", "many", "commit", "delete"] as const);
  if (deed === "outside")
    writeFile(call, world.pick(["secret/key", "relais.config.json", "relais/STATE.json", "docs/x.md"]));
  if (deed === "many") for (let at = 0; at < 40; at += 1) writeFile(call, `src/many/${at}.ts`);
  if (deed === "delete") {
    world.watch.change.giveUp(world.repository.files.get("src/a.ts"));
    world.repository.files.delete("src/a.ts");
  }
  if (deed === "commit") misbehave(call);
}

/** An agent that may only read, or only write files, commits. */
function misbehave(call: AgentCall): void {
  const { world } = call;
  writeFile(call, "src/a.ts");
  if (world.random.below(2) === 0) world.repository.commit("agent", world.repository.files);
}

function writeFile({ world, session }: AgentCall, path: string): void {
  const text = `agent ${world.makeName()} of ${session.tick.runId}`;
  world.watch.change.giveUp(world.repository.files.get(path));
  world.repository.files.set(path, text);
  world.watch.change.agentWrote(text);
}

function write(call: AgentCall): string {
  if (call.role === "orchestrator") return writeAnswer(call);
  return call.role === "builder" ? writeResult(call) : writeReview(call);
}
