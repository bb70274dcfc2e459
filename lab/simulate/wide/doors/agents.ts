/** Sessions of agents: they tell the truth, lie, answer garbage, hang, crash, are refused by their service, and cost. */
import type { DriverChoice, DriverRequest } from "../../../../src/agents/choose-driver.ts";
import type { SessionReply } from "../../../../src/agents/driver.ts";
import type { DropFolder } from "../../../../src/system/drop-folder.ts";
import type { RunningTick } from "../../../../src/tick/running-tick.ts";
import { type AgentCall, answerSession } from "../agents-model.ts";
import { getWorld } from "../stage.ts";

const KEYS = { timeout: "timeout_seconds", idle: "idle_timeout_seconds", turns: "max_turns" };

const run = (): Promise<SessionReply> => Promise.reject(new Error("sessions run through runAgent"));

export async function chooseDriver({ config, role = "builder" }: DriverRequest): Promise<DriverChoice> {
  const { driver: name = "command", timeout_seconds, idle_timeout_seconds } = config.roles[role];
  const limits = {
    timeoutMs: timeout_seconds === undefined ? null : timeout_seconds * 1000,
    idleTimeoutMs: idle_timeout_seconds === undefined ? null : idle_timeout_seconds * 1000,
    maxTurns: null,
    keys: KEYS,
  };
  return { kind: "ready", driver: { name, run, runsSideBySide: getWorld().plan.seed % 2 === 0 }, limits };
}

export const chooseModel = (): string => "model";

const TEXTS = { system: "", user: "", goal: "goal", facts: "", schema: {} };
export const readPlanTexts = (): Promise<typeof TEXTS> => Promise.resolve(TEXTS);
export const readBuilderTexts = (): Promise<typeof TEXTS> => Promise.resolve(TEXTS);
export const readSessionSchema = (name: string): object => ({ name });

/** The prompt costs more than all decisions of a tick, and no agent of the model reads it. */
export const composeOrchestratorPrompt = () => ({ system: "system", user: "user", bytes: { goal: 1 } });
export const makeRoundSchema = (): object => ({});

export const createDispatch = (): string => `dispatch-${getWorld().makeName()}`;

const proposals = new Map<string, Map<string, string>>();

export async function openDropFolder({ dispatch }: { readonly dispatch: string }): Promise<DropFolder> {
  const files = new Map<string, string>();
  proposals.set(dispatch, files);
  return {
    path: `/repo/relais/.tmp/${dispatch}`,
    put: async (name) => name,
    read: async (name) => {
      const text = files.get(name);
      return text === undefined ? { kind: "missing" } : { kind: "read", data: Buffer.from(text) };
    },
    remove: async () => void proposals.delete(dispatch),
  };
}

export async function withDropFolder<T>(
  _session: unknown,
  dispatch: string,
  work: (drop: DropFolder) => Promise<T>,
): Promise<T> {
  const drop = await openDropFolder({ dispatch });
  try {
    return await work(drop);
  } finally {
    await drop.remove();
  }
}

export const restoreOutputFile = (): Promise<void> => Promise.resolve();

interface Request extends Pick<AgentCall, "role" | "timeoutMs"> {
  readonly name?: string;
  readonly drop: DropFolder;
}

export async function runAgent(session: RunningTick, agent: unknown, request: Request): Promise<SessionReply> {
  const world = getWorld();
  const process = world.processOf(session.where.repository.environment);
  const dispatch = request.drop.path.slice("/repo/relais/.tmp/".length);
  const files = proposals.get(dispatch) ?? new Map<string, string>();
  await world.step(process, `a session of the ${request.role} starts`);
  // Sessions start side by side: their process may have died at the step of another one.
  if (process.isDead) return new Promise(() => {});
  const { role, timeoutMs, name = null } = request;
  world.watch.sessionStarts(session, { role, name: name ?? "" });
  const reply = await answerSession({ world, process, session, role, timeoutMs, name, files });
  await world.step(process, `the session of the ${role} has ended: ${reply.kind}`);
  if (session.tick.signal.aborted) return { ...reply, kind: "aborted" };
  if ("usage" in reply) world.watch.budget.sessionCosts(process.pid, reply.usage?.cost_usd ?? 0);
  return reply;
}

/** An agent of the model keeps no session. */
export const openRecord = (): Promise<null> => Promise.resolve(null);
export const dropRecord = (): void => undefined;
