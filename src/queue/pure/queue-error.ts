/**
 * `refused`: the job could never start as it was asked for. `unwritable`: the disk is full, or the folder does not allow
 * it; what was asked for did not happen. `damaged`: records are missing or altered, so nothing is decided any more.
 * `newer`: a newer relais wrote it. `unreachable`: its server does not answer; what was asked for may have happened.
 */
export type QueueErrorKind = "refused" | "unwritable" | "unreachable" | "damaged" | "newer";

/** A queue that could not do what was asked for. The message names the thing and the next step. */
export class QueueError extends Error {
  override readonly name = "QueueError";
  readonly kind: QueueErrorKind;

  constructor(kind: QueueErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Whether the same may work a moment later. */
export function isPassing(error: unknown): boolean {
  return error instanceof QueueError && (error.kind === "unwritable" || error.kind === "unreachable");
}
