/** Everything that waits for a person, the most urgent first, each with the command that continues it. */
import { SENTINELS } from "../records/campaign-files.ts";
import { join } from "node:path";
import type { Status, WaitingThing } from "../records/status.ts";
import type { LastSeries } from "../records/series.ts";
import { locateCampaignFolder } from "../workflows/pure/campaign-names.ts";
import { listWaitingSeries } from "../workflows/pure/last-series.ts";
import { listTickRecords } from "../tick/pure/tick-records.ts";
import { isFile } from "../system/is-file.ts";
import { isFolder } from "../system/is-folder.ts";
import { listRepositoryLines } from "../workspace/lines-of-repository.ts";
import { listUnfinishedWork } from "../workflows/pure/left-work.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { listDecisions } from "./waiting-decisions.ts";

type KnownStatus = Pick<Status, "running" | "unfinished" | "question" | "accepted">;

export function listWaitingForPerson(snapshot: WorkspaceSnapshot, known: KnownStatus): readonly WaitingThing[] {
  // A running relais may be about to settle any of these.
  if (known.running !== null) return listHeldChange(known.running);
  const lines = listRepositoryLines(snapshot.lines, snapshot.repository);
  return [
    ...listDecisions(known),
    ...listWaitingSeries(lines, snapshot.repository.root)
      .filter((series) => isStillThere(series, snapshot))
      .map((series) => describeSeries(series, snapshot)),
    ...listWorkOfLast(lines),
  ];
}

function listHeldChange({ runId, asksUntil = null }: NonNullable<Status["running"]>): readonly WaitingThing[] {
  if (asksUntil === null) return [];
  const what = `the change of ${runId}, until ${asksUntil}`;
  return [{ kind: "change", what, command: `relais accept ${runId}` }];
}

const NOUNS = { goal: "the goal", tree: "the tree", campaign: "the campaign" } as const;
const ENDS: Readonly<Record<string, string>> = {
  needs_human: "needs you",
  stuck: "is stuck",
  blocked: "is blocked",
  timeout: "used all its iterations",
};

function describeSeries({ options, end }: LastSeries, snapshot: WorkspaceSnapshot): WaitingThing {
  const [workflow = "", slug = ""] = options.command.split(" ");
  const kind = workflow === "goal" || workflow === "tree" ? workflow : "campaign";
  // Refused by an obstacle, cleaned, or planned again: nothing but the next run is missing.
  const folder = locateFolder(slug, snapshot);
  if (kind === "campaign" && !SENTINELS.some((sentinel) => isFile(join(folder, `${sentinel}.md`))))
    return { kind, what: `the campaign ${slug} is not finished`, command: `relais campaign run ${slug}` };
  const name = kind === "campaign" ? `${NOUNS.campaign} ${slug}` : NOUNS[kind];
  const commands = {
    goal: "relais goal status",
    tree: "relais tree show",
    campaign: `relais campaign status ${slug}`,
  };
  return { kind, what: `${name} ${ENDS[end ?? ""] ?? "has stopped"}`, command: commands[kind] };
}

/** A removed campaign or tree waits for nobody. */
function isStillThere({ options }: LastSeries, { repository, config }: WorkspaceSnapshot): boolean {
  const [workflow, slug = ""] = options.command.split(" ");
  if (workflow === "campaign") return isFolder(locateFolder(slug, { repository, config }));
  return workflow !== "tree" || isFile(join(repository.root, config.workspace_dir, "tree.json"));
}

function locateFolder(slug: string, { repository, config }: Pick<WorkspaceSnapshot, "repository" | "config">): string {
  return join(repository.root, locateCampaignFolder(config.workspace_dir, slug));
}

function listWorkOfLast(lines: Parameters<typeof listTickRecords>[0]): readonly WaitingThing[] {
  const last = listTickRecords(lines).findLast(({ endedAt }) => endedAt !== null);
  return last === undefined ? [] : listUnfinishedWork(last);
}
