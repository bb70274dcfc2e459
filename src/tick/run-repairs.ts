/** `relais run "…"`: one tick, and after a red check further ticks that mend it. */
import { isRepairedByItself } from "./pure/repair.ts";
import { runTask, type RunTaskRequest, type TickAnswer } from "./run-task.ts";
import { isAttempt } from "../workspace/own-environment.ts";

export interface RepairsRequest extends RunTaskRequest {
  /** The most repairs; null takes what the configuration says. */
  readonly repairs: number | null;
  /** Called before each of them, with the tick that it repairs. */
  readonly onRepair: (failed: EndedTick, triesMax: number) => void;
}

type EndedTick = Extract<TickAnswer, { kind: "ended" }>;

export interface RepairedAnswer {
  /** Of the last tick. */
  readonly answer: TickAnswer;
  /** The ticks that were repaired, the first one first. */
  readonly repaired: readonly string[];
}

/** Each repair is an ordinary tick under the same caps. One that could not start is no reason to lose the last answer. */
export async function runWithRepairs(request: RepairsRequest): Promise<RepairedAnswer> {
  const repaired: string[] = [];
  const typed = readTyped(request);
  let answer = await runTask(request);
  for (;;) {
    if (answer.kind !== "ended" || !isDue(request, answer, repaired.length)) return { answer, repaired };
    const again = {
      ...request,
      source: { kind: "repair", asked: answer.report.run_id, words: null, typed },
      attempts: null,
    } as const;
    if (!(await mayStart(again))) return { answer, repaired };
    request.onRepair(answer, 1 + countRepairs(request, answer));
    repaired.push(answer.report.run_id);
    answer = await runTask(again);
  }
}

/** What lifts a protected path in the first tick lifts it in the next ones; a text from a file lifts none. */
function readTyped({ source }: RepairsRequest): string {
  return source.kind === "sentence" && "text" in source.sentence ? source.sentence.text : "";
}

/** An attempt is one tick and is not repaired: the command that compares the attempts decides what comes next. */
function isDue(request: RepairsRequest, answer: EndedTick, done: number): boolean {
  if (request.signal.aborted || isAttempt(request.environment) || done >= countRepairs(request, answer)) return false;
  return isRepairedByItself(answer.report.code);
}

function countRepairs({ source, repairs }: RepairsRequest, { repairsMax = 0 }: EndedTick): number {
  return source.kind === "sentence" ? (repairs ?? repairsMax) : 0;
}

async function mayStart(request: RunTaskRequest): Promise<boolean> {
  const dry = await runTask({ ...request, isDryRun: true });
  return dry.kind === "dry" && dry.refusal === null;
}
