/** A job whose result conflicts with what landed before goes back once, with the conflict as context. */
import type { JobSpec } from "../../contract/queue/job.ts";
import { GOAL_LIMITS } from "../../contract/workflows/goal.ts";
import { INSTRUCTIONS_CHARS_MAX } from "../../contract/documents/task.ts";
import { splitArguments } from "./job-arguments.ts";

const SUFFIX = "-again";
const NAME_CHARS_MAX = 64;

/** Null for a job that went back before. */
export function nameSecondJob(job: string): string | null {
  return job.endsWith(SUFFIX) ? null : `${job.slice(0, NAME_CHARS_MAX - SUFFIX.length)}${SUFFIX}`;
}

interface Clash {
  readonly paths: readonly string[];
  /** Both sides. */
  readonly text: string;
  /** The commit and the branch that it conflicts with. */
  readonly base: JobSpec["base"];
}

/** Null where the command takes no text that the conflict could be added to. */
export function planSecondJob(spec: JobSpec, { paths, text, base }: Clash): JobSpec | null {
  const context = writeContext(paths, text);
  const { options, words } = splitArguments(spec.arguments);
  const file = options.find((option) => option.startsWith("--file="))?.slice("--file=".length);
  if (spec.command === "run" && file !== undefined) {
    const files = { ...spec.files, [file]: join(spec.files[file] ?? "", context, INSTRUCTIONS_CHARS_MAX) };
    return { ...spec, base, files };
  }
  const [sentence, ...rest] = words;
  if ((spec.command !== "run" && spec.command !== "goal") || sentence === undefined) return null;
  const charsMax = spec.command === "goal" ? GOAL_LIMITS.objectiveChars : INSTRUCTIONS_CHARS_MAX;
  return { ...spec, base, arguments: [...options, "--", join(sentence, context, charsMax), ...rest] };
}

function writeContext(paths: readonly string[], text: string): string {
  return `This was done before, on an older commit, and could not land: it conflicts with newer commits in ${paths.join(", ")}.
Do it again from the files as they are now. "here" is what the newer commits have, "the change" is what was done before:

${text}`;
}

function join(asked: string, context: string, charsMax: number): string {
  return `${asked}\n\n${context}`.slice(0, charsMax);
}
