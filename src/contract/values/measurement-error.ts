/**
 * A measurement that could not be finished.
 *
 * It is thrown and never turned into an empty or partial answer, because an empty answer would pass every gate.
 * Whoever judges catches it in one place and stops.
 */
export class MeasurementError extends Error {
  override readonly name = "MeasurementError";
  /** What was being measured, as a short noun phrase. */
  readonly what: string;
  /** Why it failed, in the words of the program or system that refused. */
  readonly detail: string;

  constructor(what: string, detail: string) {
    super(`${what}: ${detail}`);
    this.what = what;
    this.detail = detail;
  }
}
