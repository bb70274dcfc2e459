import { findCampaign } from "../workflows/find-campaign.ts";
import { type IterationLogs, readIterationLogs } from "../workflows/read-campaign-logs.ts";
import { neutraliseLines } from "../base/style.ts";
import { type CommandEnd, refuseMisuse, type Session } from "../terminal/command.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import type { Options } from "../terminal/option-spec.ts";
import { watchStatus } from "./status-watch.ts";
import type { logsOptions } from "./campaign-options.ts";
import { onCampaign } from "./campaign-slug.ts";

export const logs = onCampaign<typeof logsOptions>("logs", async (call, options) => {
  const { slug, more: iteration, session } = call;
  const mistake = findMistake(iteration, options);
  if (mistake !== null) return refuseMisuse(mistake);
  const found = await findCampaign({ ...session, slug });
  if (found.kind !== "campaign") return printFailure(found, session);
  if (options.flag("follow")) return follow(options.choice("pane") ?? "leader", session);
  const kept = readIterationLogs(found, iteration === null ? null : Number(iteration));
  if (kept.kind === "refused") return printFailure(kept, session);
  const { files } = kept;
  const shown = chooseFiles(kept, iteration);
  return printAnswer(
    {
      document: { slug, iteration: kept.iteration, files: Object.fromEntries(files) },
      text: () => shown.map(([name, text]) => `--- ${name}\n${neutraliseLines(text)}\n`).join(""),
      isAsked: true,
    },
    session,
  );
});

const ROLES = { leader: "runner", worker: "builder", verifier: "verifier" } as const;

/** The same as `relais status --watch --role`: a repository has one run at a time. */
async function follow(pane: keyof typeof ROLES, session: Session): Promise<CommandEnd> {
  const refusal = await watchStatus({ withPreflight: false, role: ROLES[pane] }, session);
  return refusal ?? { kind: "ended", status: 0 };
}

function findMistake(iteration: string | null, options: Options<typeof logsOptions>): string | null {
  if (options.flag("follow")) return iteration === null ? null : "--follow takes no iteration";
  if (options.choice("pane") !== null) return "--pane needs --follow";
  const isNumber = iteration === null || /^[1-9]\d{0,5}$/u.test(iteration);
  return isNumber ? null : `"${iteration}" is not the number of an iteration`;
}

/** Without a number only the results: prompts are long. */
function chooseFiles({ files }: IterationLogs, iteration: string | null): IterationLogs["files"] {
  const results = files.filter(([name]) => name.endsWith(".result.md"));
  return iteration === null && results.length > 0 ? results : files;
}
