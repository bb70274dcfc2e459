/**
 * The version of what relais records: the lines of the journal and the evidence of a tick.
 *
 * There is one number for both, because a journal and the evidence that it names are read together. It grows with every
 * change of an event, of the evidence, or of a rule that judges it; CONTRIBUTING.md says how.
 */
import * as v from "valibot";

/** What this relais writes, and the newest that it reads. Version 1 is what 0.1.0 wrote. */
export const RECORD_VERSION = 2;

/** Records of version 1 that carry no version at all. */
export const FIRST_RECORD_VERSION = 1;

export const RecordVersion = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(FIRST_RECORD_VERSION),
  v.maxValue(RECORD_VERSION, "a newer relais wrote it: update relais"),
);

/** Whether something that claims to be the version of a record is newer than all that this relais reads. */
export function isNewerVersion(version: unknown): version is number {
  return typeof version === "number" && Number.isInteger(version) && version > RECORD_VERSION;
}
