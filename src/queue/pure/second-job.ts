/** A job whose result cannot land goes back once, with the reason as context. */
import type { JobSpec } from "./job.ts";

const SUFFIX = "-again";
const NAME_CHARS_MAX = 64;
const CONTEXT_CHARS_MAX = 16_000;

/** Among the files of a job: what its builders read behind their own prompts. */
export const SETBACK_FILE = "context.txt";

/** Null for a job that went back before. */
export function nameSecondJob(job: string): string | null {
  return job.endsWith(SUFFIX) ? null : `${job.slice(0, NAME_CHARS_MAX - SUFFIX.length)}${SUFFIX}`;
}

interface Setback {
  /** Why it could not land, in sentences. */
  readonly reason: string;
  /** The commit on which it could not land, and its branch. */
  readonly base: JobSpec["base"];
}

/** Null for a patch: no session could do it in another way. */
export function planSecondJob(spec: JobSpec, { reason, base }: Setback): JobSpec | null {
  if ("patch" in spec.files) return null;
  const text = `This was done before, on an older commit, and could not land. Do it again from the files as they are now.
${reason}`;
  return { ...spec, base, files: { ...spec.files, [SETBACK_FILE]: text.slice(0, CONTEXT_CHARS_MAX) } };
}
