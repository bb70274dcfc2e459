/**
 * A note in the folder of a tick while its place holds something else than the work. After a crash, salvage must not
 * take that for the work, and files that no agent may see must go first.
 */
import { join } from "node:path";
import * as v from "valibot";
import type { Evidence } from "../records/evidence.ts";
import { isStorableName } from "../judge/pure/kept-files.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { removeFrom } from "../system/write-files.ts";
import { parseJson } from "../system/parse-json.ts";
import { readNow } from "../system/read-files.ts";
import { removeFile } from "../system/remove-own.ts";
import { readRecordedEvidence } from "./recorded-evidence.ts";

export const TRIAL_NOTE = "trial.json";
const NOTE_BYTES_MAX = 1024 * 1024;
const Note = v.array(v.string());

export async function noteTrial(runDirectory: string, heldOut: readonly string[]): Promise<void> {
  await writeAtomic(join(runDirectory, TRIAL_NOTE), JSON.stringify(heldOut), { mode: 0o600 });
}

export function endTrial(runDirectory: string): void {
  removeFile(join(runDirectory, TRIAL_NOTE));
}

/** The paths of held-out files; null where no trial was interrupted. A power cut may leave the note without its text. */
function readTrialNote(runDirectory: string): readonly string[] | null {
  const data = readNow(join(runDirectory, TRIAL_NOTE), { bytesMax: NOTE_BYTES_MAX });
  if (data === null) return null;
  const parsed = v.safeParse(Note, parseJson(data.toString("utf8")));
  return parsed.success ? parsed.output : [];
}

/** After a crash: removes the held-out files of an interrupted trial. */
export function clearHeldOut(runDirectory: string, tree: string): void {
  // A damaged note must not remove what is around the tree.
  for (const path of (readTrialNote(runDirectory) ?? []).filter(isStorableName)) removeFrom(tree, path);
}

/** The work as it was judged, if the place still holds that of a trial; null where it holds the work. */
export async function readTriedWork(runDirectory: string, evidenceSha256: string | null): Promise<Evidence | null> {
  if (evidenceSha256 === null || readTrialNote(runDirectory) === null) return null;
  const read = await readRecordedEvidence(runDirectory, evidenceSha256);
  return read.kind === "evidence" ? read.evidence : null;
}
