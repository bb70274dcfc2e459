import { CampaignSlug } from "../../../contract/workflows/campaign.ts";
import { unreachable } from "../../../contract/values/invariant.ts";
import { parseWith } from "../../../contract/schema/schema-error.ts";
import { brainstormCampaign } from "../../../run/campaign/brainstorm-campaign.ts";
import { cleanCampaign } from "../../../run/campaign/clean-campaign.ts";
import { initCampaign, type MadeCampaign } from "../../../run/campaign/init-campaign.ts";
import { stopCampaign } from "../../../run/campaign/stop-campaign.ts";
import type { Unready } from "../../../run/workspace/ground.ts";
import { campaignFilesText } from "../../../view/series/campaign-text.ts";
import { neutralise } from "../../../view/text/neutralise.ts";
import type { OptionValues } from "../../framework/arguments.ts";
import { showLogs } from "./campaign-logs.ts";
import { listCampaigns, runIt, showStatus } from "./campaign-run.ts";
import type { CommandEnd, Invocation, RunCommand, Session } from "../../framework/command.ts";
import { tellObstacle, tellUnpublished } from "../../answers/refusal-answer.ts";
import { processSources } from "../../live/process-sources.ts";
import { canvasOf } from "../../framework/session-canvas.ts";
import { tellBlocked } from "../../answers/tick-answer.ts";

const ACTIONS = ["brainstorm", "init", "run", "status", "logs", "stop", "clean"] as const;
type Action = (typeof ACTIONS)[number];

/** Which action takes which option. */
const OWNERS: Readonly<Record<string, Action>> = {
  draft: "brainstorm",
  from: "brainstorm",
  yes: "brainstorm",
  mode: "run",
  "max-iter": "run",
  "worker-model": "run",
  "verifier-model": "run",
  "verify-mode": "run",
  debug: "run",
  "kill-session": "clean",
};
const FLAGS: readonly string[] = ["draft", "yes", "debug", "kill-session"];

/** `relais campaign`. */
export const run: RunCommand = async (invocation, session) => {
  const { positionals, options } = invocation;
  const action = ACTIONS.find((name) => name === positionals[0]);
  if (action === undefined) return misused(`say what to do: ${ACTIONS.join(", ")}`);
  const stray = strayOption(action, options);
  if (stray !== null) return misused(stray);
  if (action === "brainstorm") return brainstorm(invocation, session);
  if (action === "status" && positionals.length === 1) return listCampaigns(session);
  const asked = askedFor(action, invocation);
  return typeof asked === "string" ? misused(asked) : act(action, asked, session);
};

/** What an action is about, or the sentence that refuses it. */
function askedFor(action: Action, { positionals, options }: Invocation): Asked | string {
  const [, slug = "", more = null] = positionals;
  if (slug === "") return `\`relais campaign ${action}\` needs the slug of a campaign`;
  if (parseWith(CampaignSlug, slug).kind === "invalid") return slugProblem(slug);
  const takesMore = action === "init" || action === "logs";
  if (more !== null && !takesMore) return `"${action}" does not know what to do with "${more}"`;
  return { slug, more, options };
}

function slugProblem(slug: string): string {
  return `"${slug}" is no slug: 1 to 30 small letters, digits and -, like auth-refactor`;
}

interface Asked {
  readonly slug: string;
  readonly more: string | null;
  readonly options: OptionValues;
}

async function act(
  action: Exclude<Action, "brainstorm">,
  { slug, more, options }: Asked,
  session: Session,
): Promise<CommandEnd> {
  switch (action) {
    case "init":
      return tellMade(await initCampaign(session, { slug, objective: more }), session);
    case "run":
      return runIt(slug, options, session);
    case "status":
      return showStatus(slug, session);
    case "logs":
      return showLogs({ slug, iteration: more }, session);
    case "stop":
      return stop(slug, session);
    case "clean":
      return clean(slug, options.flag("kill-session"), session);
    default:
      return unreachable(action);
  }
}

function strayOption(action: Action, options: OptionValues): string | null {
  for (const [name, owner] of Object.entries(OWNERS)) {
    const isGiven = FLAGS.includes(name) ? options.flag(name) : options.text(name) !== null;
    if (isGiven && owner !== action) return `--${name} belongs to \`relais campaign ${owner}\``;
  }
  return null;
}

const misused = (message: string): CommandEnd => ({ kind: "misused", message, problems: [] });

const OPEN_STATUS = 10;

const NEEDS_PERSON_STATUS = 14;

async function brainstorm({ positionals, options }: Invocation, session: Session): Promise<CommandEnd> {
  if (positionals.length > 2) return misused("the description is one argument: put it in quotes");
  const answer = await brainstormCampaign({
    ...processSources(session),
    description: positionals[1] ?? null,
    isDrafted: options.flag("draft"),
    from: options.text("from"),
    isApproved: options.flag("yes"),
    show: neutralLines,
  });
  if (answer.kind === "misused") return answer;
  if (answer.kind === "made" || answer.kind === "blocked") return tellMade(answer, session);
  if (answer.kind === "refused") return tellObstacle(answer, session);
  if (session.json) session.out(`${JSON.stringify({ approved: false, contract: answer.contract })}\n`);
  else
    session.out(`${neutralLines(answer.text)}\nNothing was written: nobody has approved it. --yes does.\n`);
  return { kind: "ended", status: NEEDS_PERSON_STATUS };
}

function neutralLines(text: string): string {
  return text
    .split("\n")
    .map((line) => neutralise(line))
    .join("\n");
}

/** What was made. A contract that somebody wrote and that cannot be run is told by the status too. */
function tellMade(made: MadeCampaign | Unready, session: Session): CommandEnd {
  if (made.kind === "blocked") return tellBlocked(made, session);
  const { slug, files, problems } = made;
  if (session.json) session.out(`${JSON.stringify({ slug, files, problems })}\n`);
  else if (session.detail !== "quiet") session.out(campaignFilesText(made, canvasOf(session)));
  const isNew = files.some(({ path, state }) => path.endsWith("/prd.md") && state === "written");
  return { kind: "ended", status: problems.length > 0 && !isNew ? OPEN_STATUS : 0 };
}

async function stop(slug: string, session: Session): Promise<CommandEnd> {
  const { cwd, environment, signal } = session;
  const stopped = await stopCampaign({ cwd, environment, signal, slug });
  if (stopped.kind !== "stopped") return tellObstacle(stopped, session);
  const { pid } = stopped;
  if (session.json) session.out(`${JSON.stringify({ slug, stopped: pid })}\n`);
  else if (session.detail !== "quiet")
    session.out(`The campaign ${slug} was stopped, and it is not over.\nNext: relais campaign run ${slug}\n`);
  return { kind: "ended", status: 0 };
}

async function clean(slug: string, isKilled: boolean, session: Session): Promise<CommandEnd> {
  const { cwd, environment, signal } = session;
  const cleaned = await cleanCampaign({ cwd, environment, signal, slug, isKilled });
  if (cleaned.kind !== "cleaned") return tellObstacle(cleaned, session);
  const { removed, killed, problems } = cleaned;
  if (session.json) session.out(`${JSON.stringify({ slug, removed, killed })}\n`);
  else if (session.detail !== "quiet") {
    const ended = killed.map((name) => `ended the tmux session ${name}`);
    const lines = [...ended, ...removed.map((path) => `removed ${neutralise(path)}`)];
    const next = `Next: relais campaign run ${slug}`;
    session.out([...(lines.length === 0 ? ["There was nothing to remove."] : lines), next, ""].join("\n"));
  }
  tellUnpublished(problems, session);
  return { kind: "ended", status: 0 };
}
