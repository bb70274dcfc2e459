/**
 * What a run of a campaign writes down besides the journal: the prompts of each iteration, and how it came to what it
 * did.
 *
 * Nothing may be written in the repository while a tick observes it. So the worker's prompt is written before its tick
 * begins, and everything that is only known during one waits for its end. Before a worker begins, the claim and the
 * verdict of the iteration before are taken away, so that nobody takes them for those of this one.
 */
import { dirname, join } from "node:path";
import { type CampaignSettings, EVERY_STORY } from "../../contract/workflows/campaign.ts";
import type { CampaignState } from "../../core/campaign/campaign-state.ts";
import { numbered } from "../../core/campaign/campaign-work.ts";
import { withSettings } from "../../core/campaign/with-settings.ts";
import type { NextWork, Work, Workflow } from "../../core/workflow/workflow.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { removeFile } from "../../io/files/remove-file.ts";
import { writeNow } from "../../io/files/write-now.ts";
import type { LiveFeed } from "./live-feed.ts";

export interface CampaignNotebook {
  /** The same workflow, with everything that it does noted. */
  readonly noted: (workflow: Workflow<CampaignState>) => Workflow<CampaignState>;
  readonly debug: (line: string) => void;
  /** Hands over what is to be written by now: files by name, and lines for the debug log. */
  readonly take: () => { readonly prompts: ReadonlyMap<string, string>; readonly debug: string };
}

interface NotebookPlace {
  /** The folder of the logs, which must exist in that of the campaign. */
  readonly logs: string;
  readonly feed: LiveFeed;
  /** What the run goes by. */
  readonly settings: CampaignSettings;
}

const OF_ONE_ITERATION = ["done-claim.json", "verify-verdict.json", "verify-verdict.second.json"];

export function openNotebook({ logs, feed, settings }: NotebookPlace): CampaignNotebook {
  let prompts = new Map<string, string>();
  let lines: string[] = [];
  const debug = (line: string): void => {
    lines.push(`${new Date(currentTimeMs()).toISOString()} ${line}\n`);
  };
  const begin = (state: CampaignState, next: NextWork): NextWork => {
    debug(wordsOf(next));
    feed.line("leader", wordsOf(next));
    if (next.kind !== "work") return next;
    const { work } = next;
    feed.begun(work.review === null ? "worker" : "verifier");
    const name = promptName(withSettings(state, settings), settings);
    if (work.review === null) {
      writeNow(join(logs, name), work.brief.prompt ?? "");
      for (const old of OF_ONE_ITERATION) removeFile(join(dirname(logs), old));
    }
    return { kind: "work", work: captured(work, (text) => prompts.set(name, text)) };
  };
  return {
    noted: (workflow) => ({ ...workflow, next: (state) => begin(state, workflow.next(state)) }),
    debug,
    take: () => {
      const taken = { prompts, debug: lines.join("") };
      prompts = new Map();
      lines = [];
      return taken;
    },
  };
}

function wordsOf(next: NextWork): string {
  if (next.kind === "wait") return `wait ${next.ms ?? "for a limit"}`;
  if (next.kind === "end") return `end ${next.end} ${next.reason ?? ""}`;
  const { review, roles = {}, task } = next.work;
  const role = review === null ? roles.builder : roles.verifier;
  return `begin ${task?.task_id} model=${role?.model}`;
}

function promptName({ due, iteration }: CampaignState, settings: CampaignSettings): string {
  const [story] = due;
  if (story === undefined) return `iter-${numbered(iteration + 1)}.worker-prompt.md`;
  return `iter-${numbered(iteration)}.verifier-prompt${suffixOf(story, settings)}.md`;
}

/** An iteration may have several verifications, and each keeps its prompt. */
function suffixOf(story: string, settings: CampaignSettings): string {
  if (settings.verify_mode === "batch") return "";
  if (story === EVERY_STORY) return ".final";
  return settings.iteration_unit === "all" ? `.${story}` : "";
}

/** A verifier's prompt is made while its tick runs, because it tells how the commands ended. */
function captured(work: Work, keep: (text: string) => void): Work {
  const { review } = work;
  if (review?.prompt === undefined) return work;
  const { prompt } = review;
  return {
    ...work,
    review: {
      ...review,
      prompt: (reviewer, matter) => {
        const text = prompt(reviewer, matter);
        keep(text);
        return text;
      },
    },
  };
}
