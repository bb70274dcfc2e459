import assert from "node:assert/strict";
import { MeasurementError } from "../../src/base/errors.ts";

/** Null stands for the declared refusal. */
export function measure<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    assert(error instanceof MeasurementError || (error instanceof Error && error.constructor === Error), String(error));
    return null;
  }
}
