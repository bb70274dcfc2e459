/** Plays an act: types its commands in its repository, and measures what must be true afterwards. */
import type { DemoAct, DemoOutcome, DemoRan, DemoStep } from "../records/demo.ts";
import type { DemoStage, Theatre } from "./demo-stage.ts";
import { listActTasks, listTickClaims, listTickCommands, readTickOutcome } from "./tick-step.ts";

/** Called as things happen, so that a person can read along. */
export interface Audience {
  readonly onStep: (step: DemoStep, at: number) => void;
  readonly onOutcome: (outcome: DemoOutcome) => void;
}

export async function playAct(act: DemoAct, theatre: Theatre, audience: Audience): Promise<void> {
  const { sample, steps } = act;
  const stage = await theatre.setStage({ ...sample, beside: { ...sample.beside, ...listActTasks(act) } });
  for (const [index, step] of steps.entries()) {
    audience.onStep(step, index + 1);
    audience.onOutcome(await playStep(stage, step));
  }
}

async function playStep(stage: DemoStage, step: DemoStep): Promise<DemoOutcome> {
  const before = await stage.look();
  const ran: DemoRan[] = [];
  for (const command of [...listTickCommands(step), ...step.commands]) ran.push(await typeCommand(stage, command));
  const after = await stage.look();
  const tick = step.tick === undefined ? null : await readTickOutcome(stage, { before, after, ran });
  const log = await stage.git("log", "--format=%s", "--reverse");
  const claims = [
    ...(tick === null || step.tick === undefined ? [] : listTickClaims(step.tick, tick)),
    ...step.expects.map((expected) => checkClaim(expected, readText(expected.in, { stage, ran, log }))),
    { words: "git status is clean", isTrue: after.status.length === 0 },
  ];
  const isAsExpected = ran.every((one) => one.isAsExpected) && claims.every(({ isTrue }) => isTrue);
  return { step, ran, claims, tick, isAsExpected };
}

async function typeCommand(stage: DemoStage, command: DemoStep["commands"][number]): Promise<DemoRan> {
  const { line, end: wanted } = typeof command === "string" ? { line: command, end: 0 } : command;
  const [program, ...args] = splitWords(line);
  if (program === "git") return { line, end: 0, isAsExpected: true, stdout: await stage.git(...args), stderr: "" };
  const { status, signal, stdout, stderr } = await stage.relais(...args);
  const end = status ?? signal ?? "";
  return { line, end, isAsExpected: end === wanted, stdout, stderr };
}

/** As a shell would; double quotes hold spaces together. */
function splitWords(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/gu)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

function readText(
  source: string,
  { stage, ran, log }: { readonly stage: DemoStage; readonly ran: readonly DemoRan[]; readonly log: string },
): string {
  if (source === "output") return ran.at(-1)?.stdout ?? "";
  return source === "log" ? log.trimEnd() : (stage.read(source) ?? "");
}

function checkClaim(
  { claim, matches, times }: DemoStep["expects"][number],
  text: string,
): DemoOutcome["claims"][number] {
  const found = [...text.matchAll(new RegExp(matches, "gu"))].length;
  return { words: claim, isTrue: times === undefined ? found > 0 : found === times };
}
