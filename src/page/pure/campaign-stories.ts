import type { CampaignState } from "../../workflows/pure/campaign-state.ts";
import type { PageStory, PageTone } from "./page-documents.ts";

const TONES: Readonly<Record<string, PageTone>> = { pass: "good", fail: "bad", blocked: "bad" };

/** The stories of a campaign with their criteria, and how each verification ended. */
export function listStories({ settings, verified, due, records }: CampaignState): readonly PageStory[] {
  return (settings?.stories ?? []).map(({ id, title, criteria }) => {
    const history = records.flatMap(({ iteration, verifications }) =>
      verifications
        .filter(({ story }) => story === id)
        .map(({ verdict, summary, issues }) => ({
          iteration,
          tone: TONES[verdict] ?? "calm",
          words: [`${verdict}: ${summary}`, ...issues.map((issue) => `− ${describeIssue(issue)}`)].join("\n"),
        })),
    );
    const state = verified.includes(id)
      ? "verified"
      : due.includes(id)
        ? "due"
        : history.at(-1)?.tone === "bad"
          ? "failed"
          : "open";
    return { id, title, criteria, state, history };
  });
}

type Issue = CampaignState["records"][number]["verifications"][number]["issues"][number];

function describeIssue(issue: Issue): string {
  return Object.values(issue)
    .filter((part) => typeof part === "string")
    .join(": ");
}
