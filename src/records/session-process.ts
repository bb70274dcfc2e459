/** The processes of a session that a worker started, and how long they may live without it. */

/** A process by its number and its birth, so that another one with the same number is never meant. */
export interface SessionProcess {
  readonly pid: number;
  readonly birth: string;
  readonly boot: string;
}

/**
 * How long a worker that cannot speak to its queue may still work, in milliseconds of a clock of its machine that goes on
 * while it sleeps. Others count the whole lease before they take the job over.
 */
export interface Leash {
  /** Then the session is asked to end. */
  readonly stopMs: number;
  /** Then nothing of the session may be left, even if its worker is stopped. */
  readonly endMs: number;
}
