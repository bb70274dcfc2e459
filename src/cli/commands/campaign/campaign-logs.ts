import { findCampaign } from "../../../run/campaign/find-campaign.ts";
import { type IterationLogs, iterationLogs } from "../../../run/campaign/campaign-logs.ts";
import { neutralise } from "../../../view/text/neutralise.ts";
import { misused } from "../../framework/command.ts";
import { tellObstacle } from "../../answers/refusal-answer.ts";
import { onCampaign } from "./campaign-slug.ts";

/** `relais campaign logs`. */
export const logs = onCampaign("logs", async ({ slug, more: iteration, session }) => {
  if (iteration !== null && !/^[1-9]\d{0,5}$/u.test(iteration))
    return misused(`"${iteration}" is no number of an iteration`);
  const found = await findCampaign({ cwd: session.cwd, environment: session.environment, slug });
  if (found.kind !== "campaign") return tellObstacle(found, session);
  const kept = iterationLogs(found, iteration === null ? null : Number(iteration));
  if (kept.kind === "refused") return tellObstacle(kept, session);
  const { files } = kept;
  if (session.json)
    session.out(`${JSON.stringify({ slug, iteration: kept.iteration, files: Object.fromEntries(files) })}\n`);
  else for (const [name, text] of shownOf(kept, iteration)) session.out(`--- ${name}\n${lines(text)}\n`);
  return { kind: "ended", status: 0 };
});

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
