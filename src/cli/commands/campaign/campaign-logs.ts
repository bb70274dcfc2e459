import { type CampaignLiveLine, PANES } from "../../../contract/workflows/campaign-files.ts";
import { followCampaign } from "../../../run/campaign/follow-campaign.ts";
import { findCampaign } from "../../../run/campaign/find-campaign.ts";
import { type IterationLogs, iterationLogs } from "../../../run/campaign/campaign-logs.ts";
import type { Surroundings } from "../../../run/workspace/surroundings.ts";
import { watchRun } from "../../../run/inspect/watch-run.ts";
import { liveText } from "../../../view/series/campaign-text.ts";
import { neutralise } from "../../../view/text/neutralise.ts";
import type { OptionValues } from "../../framework/arguments.ts";
import type { CommandEnd, Session } from "../../framework/command.ts";
import { lookOnBelow } from "../../live/live.ts";
import { tellObstacle } from "../../answers/refusal-answer.ts";
import { scriptPlayer } from "../../live/script-player.ts";

interface LogQuestion {
  readonly slug: string;
  readonly iteration: string | null;
  readonly options: OptionValues;
}

/** `relais campaign logs`. */
export async function showLogs(question: LogQuestion, session: Session): Promise<CommandEnd> {
  const { slug, iteration, options } = question;
  if (options.flag("follow")) return follow(question, session);
  if (options.text("pane") !== null) return misused("--pane goes with --follow");
  if (iteration !== null && !/^[1-9]\d{0,5}$/u.test(iteration))
    return misused(`"${iteration}" is no number of an iteration`);
  const found = await findCampaign({ cwd: session.cwd, environment: session.environment, slug });
  if (found.kind !== "campaign") return tellObstacle(found, session);
  const logs = iterationLogs(found, iteration === null ? null : Number(iteration));
  if (logs.kind === "refused") return tellObstacle(logs, session);
  const { files } = logs;
  if (session.json)
    session.out(`${JSON.stringify({ slug, iteration: logs.iteration, files: Object.fromEntries(files) })}\n`);
  else for (const [name, text] of shownOf(logs, iteration)) session.out(`--- ${name}\n${lines(text)}\n`);
  return { kind: "ended", status: 0 };
}

const misused = (message: string): CommandEnd => ({ kind: "misused", message, problems: [] });

async function follow({ slug, iteration, options }: LogQuestion, session: Session): Promise<CommandEnd> {
  const name = options.text("pane");
  const pane = PANES.find((one) => one === name) ?? null;
  if (name !== null && pane === null) return misused(`--pane is ${PANES.join(", ")}, not "${name}"`);
  if (iteration !== null) return misused("--follow shows what happens now, and no single iteration");
  const found = await findCampaign({ cwd: session.cwd, environment: session.environment, slug });
  if (found.kind !== "campaign") return tellObstacle(found, session);
  const { signal, json, out } = session;
  const onLine = (line: CampaignLiveLine): void =>
    out(json ? `${JSON.stringify(line)}\n` : liveText(line, pane === null));
  const over = new AbortController();
  const below = pane === "leader" ? drawBelow(found.around, session, over.signal) : null;
  try {
    await followCampaign(found, { pane, signal, onLine });
  } finally {
    over.abort();
    await below;
  }
  return { kind: "ended", status: 0 };
}

/** Draws what the leader does, and the next one after it, below the lines; it does without where that cannot be. */
async function drawBelow(around: Surroundings, session: Session, over: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([session.signal, over]);
  // The lines above are what matters here, and they do not come from the journal.
  const watch = { signal, isPatient: true, player: scriptPlayer(session), onTrouble: () => {} };
  try {
    // What is told of the next leader begins with what was recorded before it, so nothing is kept of the last one.
    for (let emit = lookOnBelow(session); emit !== null && !signal.aborted; emit = lookOnBelow(session)) {
      await watchRun(around, { ...watch, emit });
      session.stage.clear();
    }
  } catch {
    session.stage.clear();
  }
}

/** Without a number only what came of it: the prompts are long. */
function shownOf({ files }: IterationLogs, iteration: string | null): IterationLogs["files"] {
  const results = files.filter(([name]) => name.endsWith(".result.md"));
  return iteration === null && results.length > 0 ? results : files;
}

function lines(text: string): string {
  return text
    .split("\n")
    .map((line) => neutralise(line))
    .join("\n");
}
