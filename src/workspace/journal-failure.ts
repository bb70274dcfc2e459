import { dirname } from "node:path";
import { describeError, MeasurementError } from "../base/errors.ts";
import { readErrorCode } from "../system/read-files.ts";

/** An event could not be recorded, so nothing more may be done: nobody could tell afterwards what it was. */
export class JournalFailure extends MeasurementError {
  readonly code: string | null;

  constructor(path: string, error: unknown) {
    const reason = describeError(error);
    const isNamed = reason.includes(dirname(path));
    super("the journal cannot be written", isNamed ? reason : `${path}: ${reason}`);
    this.code = readErrorCode(error);
  }
}
