/** What is noted beside the repository of a job about the moment when it was made. */
import * as v from "valibot";
import { JobSpent } from "../queue/pure/job.ts";
import { CommitId } from "../base/identifier.ts";
import { parseWith } from "../base/schema-error.ts";
import { readNoteText } from "../journal/job-folder.ts";
import type { JobPlace } from "./job-workspace.ts";

const JobNote = v.strictObject({
  /** By the attempts before: a job that a person tries again begins with an empty journal. */
  spent: JobSpent,
  /** The commit that the work started from. */
  base: CommitId,
});
export type JobNote = v.InferOutput<typeof JobNote>;

/** Null where a kill cut the note short. */
export function readJobNote(place: JobPlace): JobNote | null {
  try {
    const parsed = parseWith(JobNote, JSON.parse(readNoteText(place)));
    return parsed.kind === "valid" ? parsed.value : null;
  } catch {
    return null;
  }
}
