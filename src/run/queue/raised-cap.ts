import type { JobSpec } from "../../contract/queue/job.ts";
import { splitArguments } from "../../core/queue/job-arguments.ts";
import { COUNT_OPTIONS, listJobCaps } from "../../core/queue/job-caps.ts";
import { readProject } from "../workspace/read-project.ts";
import type { JobPlace } from "./job-workspace.ts";

/** A sentence where a job of others asks for more than the configuration of its repository allows. */
export async function findRaisedCap({ repo, environment }: JobPlace, spec: JobSpec): Promise<string | null> {
  const { options } = splitArguments(spec.arguments);
  const asked = options.find((option) => COUNT_OPTIONS.some((name) => option.startsWith(`--${name}=`)));
  const project = asked === undefined ? null : await readProject({ cwd: repo, environment });
  // What is wrong with the configuration, the command says itself.
  if (asked === undefined || project === null || project.kind === "blocked") return null;
  const count = Number(asked.slice(asked.indexOf("=") + 1));
  const [wanted, configured] = [count, null].map((number) => listJobCaps(spec.command, project.config, number).ticks);
  return (wanted ?? 0) > (configured ?? 0) ? `${asked} is more than the repository's configuration allows.` : null;
}
