import type { ActCommand, ActStep, DemoAct, RanCommand, Seen, StepOutcome } from "./demo-act.ts";
import type { Sample, Stage, Theatre } from "./demo-stage.ts";

/** What an act of commands is made of; the sample may lie beside programs whose place only the theatre knows. */
export interface CommandAct extends Omit<DemoAct, "play"> {
  readonly sample: (theatre: Pick<Theatre, "folder" | "node">) => Omit<Sample, "repository">;
  readonly steps: readonly ActStep[];
}

/** An act that types commands in its repository and looks at what they left. */
export function commandAct({ sample, steps, ...act }: CommandAct): DemoAct {
  return {
    ...act,
    play: async (theatre, { onPiece, onOutcome }) => {
      const stage = await theatre.setStage({ ...sample(theatre), repository: act.repository });
      for (const [index, step] of steps.entries()) {
        onPiece({ kind: "step", step }, index + 1);
        onOutcome(await playStep(stage, step));
      }
    },
  };
}

async function playStep(stage: Stage, step: ActStep): Promise<StepOutcome> {
  const ran: RanCommand[] = [];
  for (const command of step.commands) ran.push(await typeCommand(stage, command));
  const claims = step.claims(await seenIn(stage, ran));
  const isAsTold = ran.every((one) => one.isAsTold) && claims.every(({ isTrue }) => isTrue);
  return { kind: "step", step, ran, claims, isAsTold };
}

async function typeCommand(stage: Stage, command: ActCommand): Promise<RanCommand> {
  const { program, args, status: wanted = 0 } = command;
  const line = [program, ...args].map(word).join(" ");
  if (program === "git")
    return { line, status: 0, isAsTold: true, stdout: await stage.git(...args), stderr: "" };
  const { status, stdout, stderr } = await stage.relais(...args);
  return { line, status, isAsTold: status === wanted, stdout, stderr };
}

/** A word that a shell takes literally, quoted where it must be. */
function word(text: string): string {
  return /^[\w./=:@-]+$/.test(text) ? text : `"${text.replaceAll(/["$\\`]/g, String.raw`\$&`)}"`;
}

async function seenIn(stage: Stage, ran: readonly RanCommand[]): Promise<Seen> {
  const log = await stage.git("log", "--format=%s", "--reverse");
  return {
    outputs: ran.map(({ stdout }) => stdout),
    subjects: log.split("\n").filter((subject) => subject !== ""),
    status: (await stage.look()).status,
    read: stage.read,
  };
}
