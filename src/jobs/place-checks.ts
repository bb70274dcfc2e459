/** What the configuration at the base commit says about a job before it starts. */
import type { JobSpec } from "../queue/pure/job.ts";
import type { Engine } from "../queue/pure/engine.ts";
import type { Config } from "../config/config.ts";
import { splitArguments } from "../queue/pure/job-arguments.ts";
import { COUNT_OPTIONS, listJobCaps } from "../queue/pure/job-caps.ts";
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

/** The limit that ends first, where none of the agents of the job may be called; null otherwise. */
export async function findPlaceLimit(
  { repo, environment }: JobPlace,
  spec: JobSpec,
  { limits }: Pick<Engine, "limits">,
): Promise<AgentLimit | null> {
  const known = await limits.list();
  if (known.length === 0) return null;
  const project = await readProject({ cwd: repo, environment });
  const agents = project.kind === "blocked" ? [] : listBuilders(project.config);
  const [first, ...fallbacks] = agents;
  const wanted = [spec.agent ?? first, ...fallbacks];
  const found = wanted.map((name) => known.find(({ agent }) => agent === name));
  // The command itself takes its next agent.
  if (found.includes(undefined)) return null;
  return found.reduce((one, other) => ((one?.until ?? "") <= (other?.until ?? "") ? one : other)) ?? null;
}

interface AgentLimit {
  readonly agent: string;
  readonly until: string;
}

function listBuilders({ roles, builder }: Config): readonly string[] {
  const { driver, fallbacks = [] } = roles.builder;
  return [driver ?? builder.default_mode, ...fallbacks.map((one) => one.driver ?? builder.default_mode)];
}
