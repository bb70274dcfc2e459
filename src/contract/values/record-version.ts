/**
 * The version of the journal lines and of the evidence. Both share one number, because they are read together. It grows
 * with every change of an event, of the evidence, or of a rule; see CONTRIBUTING.md.
 */
import * as v from "valibot";

/** What this relais writes, and the newest that it reads. Version 1 is what 0.1.0 wrote. */
export const RECORD_VERSION = 2;

export const FIRST_RECORD_VERSION = 1;

export const RecordVersion = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(FIRST_RECORD_VERSION),
  v.maxValue(RECORD_VERSION, "a newer relais wrote it: update relais"),
);

export function isNewerVersion(version: unknown): version is number {
  return typeof version === "number" && Number.isInteger(version) && version > RECORD_VERSION;
}
