/** An agent drafts the suggestions: one read-only tick. */
import { join } from "node:path";
import type { CampaignDraft } from "../records/campaign.ts";
import { InvariantError } from "../base/invariant.ts";
import { findDraft, draftWork } from "./pure/draft-work.ts";
import { decodePath } from "../base/path-text.ts";
import { shorten } from "../base/shorten.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { readNow } from "../system/read-now.ts";
import { accessRepository } from "../git/git.ts";
import { listTreePaths } from "../git/tree-listing.ts";
import type { LockedWorkspace, Workspace } from "../workspace/workspace.ts";
import { chooseConfig } from "../tick/choose-config.ts";
import { openSession } from "../tick/open-session.ts";
import { runWork } from "../tick/run-work.ts";
import type { CommandContext } from "../workspace/command-context.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";

export type DraftSources = Omit<CommandContext, "emit">;

type DraftAnswer =
  | { readonly kind: "drafted"; readonly draft: CampaignDraft }
  /** Without a full stop. Others may have written it. */
  | { readonly kind: "none"; readonly why: string };

const WHY_CHARS = 200;

const giveUp = (why: string): DraftAnswer => ({
  kind: "none",
  why: shorten(why.replaceAll(/\s+/gu, " ").replace(/\.$/u, ""), WHY_CHARS),
});

/** A failure only means that there is no draft. */
export async function draftCampaign(sources: DraftSources, description: string): Promise<DraftAnswer> {
  const complete = await chooseConfig({ ...sources, chosen: { choices: {}, foundText: null }, needsAgent: true });
  if (complete.kind !== "complete") return giveUp(complete.message);
  const { chosen } = complete;
  const answer = await withWorkspace({ ...sources, chosen }, "tick", (workspace) =>
    askAgent(sources, description, workspace),
  );
  if (answer.kind !== "blocked" && answer.kind !== "refused") return answer;
  return giveUp(answer.cause === "lock_held" ? "relais is running in this repository" : answer.message);
}

async function askAgent(sources: DraftSources, description: string, workspace: LockedWorkspace): Promise<DraftAnswer> {
  const { journal, runId } = workspace;
  const work = draftWork({
    config: workspace.config,
    description,
    milestone: journal.fold(WorkspaceFold).milestone.milestoneId,
    facts: readNow(join(workspace.folder, "FACTS.md"), { bytesMax: FACTS_BYTES_MAX })?.toString("utf8") ?? "",
    branch: workspace.head.text.replace(/^ref: refs\/heads\//u, ""),
    paths: await listTrackedPaths(workspace, sources.signal),
  });
  const session = await openSession({ ...sources, workspace, seriesId: runId, work });
  if (session.kind === "blocked") return giveUp(session.message);
  const { relaisVersion } = sources;
  const { report } = await runWork(session.session, { workflow: "campaign", work, relaisVersion });
  const reviews = journal
    .lines()
    .flatMap(({ run_id, event }) => (run_id === runId && event.type === "reviewed" ? event.reviews : []));
  const draft = report.code === "SUCCESS" ? findDraft(reviews) : null;
  if (draft !== null) return { kind: "drafted", draft };
  if (report.code === "SUCCESS") throw new InvariantError("a draft was accepted that cannot be read");
  return giveUp(report.message ?? report.cause ?? report.code);
}

const FACTS_BYTES_MAX = 1024 * 1024;

async function listTrackedPaths({ repository, head }: Workspace, signal: AbortSignal): Promise<readonly string[]> {
  const paths = await listTreePaths(accessRepository(repository, signal), head.commit);
  return paths.map((path) => decodePath(path).text);
}
