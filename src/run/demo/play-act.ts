/** Plays an act: types its commands in its repository, and measures what must be true afterwards. */
import type { DemoAct, DemoOutcome, DemoRan, DemoStep } from "../../contract/documents/demo.ts";
import type { Stage, Theatre } from "./demo-stage.ts";
import { actTasks, tickClaims, tickCommands, tickOutcome } from "./tick-step.ts";

/** Told as things happen, so that a person can read along. */
export interface Audience {
  readonly onStep: (step: DemoStep, at: number) => void;
  readonly onOutcome: (outcome: DemoOutcome) => void;
}

export async function playAct(act: DemoAct, theatre: Theatre, audience: Audience): Promise<void> {
  const { sample, steps } = act;
  const stage = await theatre.setStage({ ...sample, beside: { ...sample.beside, ...actTasks(act) } });
  for (const [index, step] of steps.entries()) {
    audience.onStep(step, index + 1);
    audience.onOutcome(await playStep(stage, step));
  }
}

async function playStep(stage: Stage, step: DemoStep): Promise<DemoOutcome> {
  const before = await stage.look();
  const ran: DemoRan[] = [];
  for (const command of [...tickCommands(step), ...step.commands])
    ran.push(await typeCommand(stage, command));
  const after = await stage.look();
  const tick = step.tick === undefined ? null : await tickOutcome(stage, { before, after, ran });
  const log = await stage.git("log", "--format=%s", "--reverse");
  const claims = [
    ...(tick === null || step.tick === undefined ? [] : tickClaims(step.tick, tick)),
    ...step.expects.map((expected) => checkedClaim(expected, textIn(expected.in, { stage, ran, log }))),
    { words: "git status is clean", isTrue: after.status.length === 0 },
  ];
  const isAsTold = ran.every((one) => one.isAsTold) && claims.every(({ isTrue }) => isTrue);
  return { step, ran, claims, tick, isAsTold };
}

async function typeCommand(stage: Stage, command: DemoStep["commands"][number]): Promise<DemoRan> {
  const { line, end: wanted } = typeof command === "string" ? { line: command, end: 0 } : command;
  const [program, ...args] = wordsIn(line);
  if (program === "git")
    return { line, end: 0, isAsTold: true, stdout: await stage.git(...args), stderr: "" };
  const { status, signal, stdout, stderr } = await stage.relais(...args);
  const end = status ?? signal ?? "";
  return { line, end, isAsTold: end === wanted, stdout, stderr };
}

/** The words of a line as a shell would split it; double quotes hold spaces together. */
function wordsIn(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

interface Texts {
  readonly stage: Stage;
  readonly ran: readonly DemoRan[];
  readonly log: string;
}

function textIn(source: string, { stage, ran, log }: Texts): string {
  if (source === "output") return ran.at(-1)?.stdout ?? "";
  return source === "log" ? log.trimEnd() : (stage.read(source) ?? "");
}

function checkedClaim(
  { claim, matches, times }: DemoStep["expects"][number],
  text: string,
): DemoOutcome["claims"][number] {
  const found = [...text.matchAll(new RegExp(matches, "gu"))].length;
  return { words: claim, isTrue: times === undefined ? found > 0 : found === times };
}
