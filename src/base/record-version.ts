/** The version of the journal lines and of the evidence, which are read together. */
import * as v from "valibot";

/** What this relais writes, and all that it reads. It changes with every change of an event, of the evidence or of a rule. */
export const RECORD_VERSION = 1;

export const RecordVersion = v.literal(RECORD_VERSION, "records of another version: use the relais that wrote them");

/** Whether a document says that its records have another version than those of this relais. */
export function isForeignVersion(version: unknown): version is number {
  return typeof version === "number" && Number.isInteger(version) && version !== RECORD_VERSION;
}
