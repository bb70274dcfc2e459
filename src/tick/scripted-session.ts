/**
 * The builder of a scripted session is relais itself, started with an internal argument: the
 * one program that is certainly installed, and a process that is supervised like every other.
 */
import type { Environment } from "../base/environment.ts";
import { playScript } from "../process/play-script.ts";

/** What the process does: plays the script on its standard input and answers with the status to exit with. */
export function playScriptedSession(environment: Environment): Promise<number> {
  return playScript(environment);
}
