import { type Environment, LIFELINE_VARIABLE } from "../base/environment.ts";
import { distrustRepository } from "../git/git-program.ts";
import { withHome } from "../system/with-home.ts";

/** A copy, because caches (as which git is used) belong to one run alone. */
export function filterOwnEnvironment(outside: Environment): Environment {
  return withHome(outside);
}

/** Before anything is started: a command may run git elsewhere first. */
export function takeNoProgramsFrom(cwd: string, environment: Environment): void {
  distrustRepository(cwd, environment);
}

/** Set by agents for what they start, by relais for its sessions, and for a relais that works for a job. */
const NOT_A_PERSON = /^(?:CLAUDECODE|CODEX_(?:SANDBOX\w*|THREAD_ID|CI)|RELAIS_RUN_ID|RELAIS_JOB)$/;

/**
 * Whether words of a command are those of a person, as far as anybody can tell: an agent could unset its marker. A server
 * of tools starts relais with a lifeline; so does a relais that makes attempts, which judges them itself.
 */
export function isTypedByPerson(environment: Environment): boolean {
  const isServed = environment[LIFELINE_VARIABLE] !== undefined && !isAttempt(environment);
  return !isServed && !Object.keys(environment).some((name) => NOT_A_PERSON.test(name));
}

/** Set for a relais that makes one of several attempts. */
export const ATTEMPT_VARIABLE = "RELAIS_ATTEMPT";

/** Set where an orchestrator wrote the task of such a relais. */
export const PLANNED_VARIABLE = "RELAIS_ATTEMPT_PLANNED";

export function isPlannedElsewhere(environment: Environment): boolean {
  return environment[PLANNED_VARIABLE] !== undefined;
}

/** The share of the money that such a relais may spend; absent is no cap. */
export const SHARE_VARIABLE = "RELAIS_ATTEMPT_DOLLARS";

export function readShare(environment: Environment): number | null {
  const dollars = Number(environment[SHARE_VARIABLE] ?? "");
  return dollars > 0 ? dollars : null;
}

/** Another relais waits for the result: nobody is asked or notified here. */
export function isAttempt(environment: Environment): boolean {
  return environment[ATTEMPT_VARIABLE] !== undefined;
}
