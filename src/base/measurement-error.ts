/**
 * A measurement that could not be finished. It is always thrown, because an empty or partial result would pass every
 * gate.
 */
export class MeasurementError extends Error {
  override readonly name = "MeasurementError";
  /** A short noun phrase. */
  readonly what: string;
  /** In the words of the program or system that failed. */
  readonly detail: string;

  constructor(what: string, detail: string) {
    super(`${what}: ${detail}`);
    this.what = what;
    this.detail = detail;
  }
}
