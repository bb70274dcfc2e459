/**
 * Runs the person's `handoff.command` for a job or a goal that has ended.
 *
 * It runs when everything is recorded, in the repository that has the commits, and changes no result: it has a timeout,
 * its processes are ended, and its failure is one sentence.
 */
import type { Config } from "../config/config.ts";
import type { Handoff } from "../queue/pure/job.ts";
import type { Environment } from "../base/environment.ts";
import { runOwnCommand } from "./notify.ts";

const SECONDS_MAX = 120;

/** What programs of the usual forges need, besides the built-in variables. */
const FORGES =
  "GH_TOKEN GITHUB_TOKEN GH_HOST GITLAB_TOKEN GITLAB_HOST GITEA_TOKEN GITEA_SERVER_URL SSH_AUTH_SOCK".split(" ");

export interface HandoffPlace {
  /** As it was before the work: a change must not choose what is started. */
  readonly config: Config;
  /** A repository with the commits. */
  readonly cwd: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Absent is the usual time. */
  readonly secondsMax?: number;
}

/** Answers with a warning if the command fails. */
export function runHandoff(
  { config, cwd, environment, signal, secondsMax = SECONDS_MAX }: HandoffPlace,
  handoff: Handoff,
): Promise<string | null> {
  const { kind, id, repository, outcome, summary, branch, commit } = handoff;
  return runOwnCommand(config.handoff.command, {
    key: "handoff.command",
    cwd,
    environment,
    names: FORGES,
    set: {
      RELAIS_EVENT: kind,
      RELAIS_ID: id,
      RELAIS_REPOSITORY: repository,
      RELAIS_OUTCOME: outcome,
      RELAIS_BRANCH: branch ?? "",
      RELAIS_COMMIT: commit ?? "",
      RELAIS_SUMMARY: summary,
    },
    document: handoff,
    secondsMax,
    signal,
  });
}
