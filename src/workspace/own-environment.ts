import { type Caller, type Environment, JOB_VARIABLE, LIFELINE_VARIABLE } from "../base/environment.ts";
import { distrustRepository } from "../git/git-program.ts";
import { type Refusal, refuse } from "../records/command-failure.ts";
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
  return !isServed && findMarker(environment) === null;
}

/** An attempt works in the place of a job, for a sentence that another relais has. */
function findMarker(environment: Environment): string | null {
  const isMarker = (name: string): boolean =>
    NOT_A_PERSON.test(name) && !(name === JOB_VARIABLE && isAttempt(environment));
  return Object.keys(environment).find(isMarker) ?? null;
}

/** Set by a server of tools whose person allows its callers to accept. */
export const ACCEPT_VARIABLE = "RELAIS_ALLOW_ACCEPT";

/** Like every command of a person's, unless the person who started the server allows it. */
export function refuseAcceptToAgent(command: string, caller: Pick<Caller, "environment">): Refusal | null {
  return caller.environment[ACCEPT_VARIABLE] === undefined ? refuseToAgent(command, caller) : null;
}

/** For what only a person may decide: an agent that could do it would lift its own limits. */
export function refuseToAgent(command: string, { environment }: Pick<Caller, "environment">): Refusal | null {
  if (isTypedByPerson(environment)) return null;
  const marker = findMarker(environment) ?? LIFELINE_VARIABLE;
  const message = `\`${command}\` is for a person, and an agent started this one (${marker} is set).`;
  return refuse({ cause: "not_a_person", message, next: "Type it in a terminal of your own." });
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
