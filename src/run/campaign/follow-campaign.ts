/** Shows what happens in a campaign, from the beginning of what is known, until it is over. */
import { join } from "node:path";
import type { Caller } from "../../contract/values/environment.ts";
import { CampaignLiveLine, type Pane } from "../../contract/workflows/campaign-files.ts";
import type { Config } from "../../contract/config/config.ts";
import { parseWith } from "../../contract/schema/schema-error.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { followLines } from "../../io/files/follow-file.ts";
import { pauseUntil } from "../../io/machine/pause.ts";
import { findTreePlace } from "../tree/tree-place.ts";
import { standingSentinel } from "./campaign-files.ts";
import type { FoundCampaign } from "./find-campaign.ts";
import { LIVE_FILE, liveFolder } from "./live-feed.ts";

interface Follower {
  /** Null is every pane. */
  readonly pane: Pane | null;
  readonly signal: AbortSignal;
  readonly onLine: (line: CampaignLiveLine) => void;
}

const LOOK_MS = 300;

/** Comes back once the campaign is over and everything was shown, or on a signal. */
export async function followCampaign(
  { around, slug, folder }: FoundCampaign,
  { pane, signal, onLine }: Follower,
): Promise<void> {
  const news = followLines(join(liveFolder(around.stateDirectory, slug), LIVE_FILE));
  for (;;) {
    const isOver = standingSentinel(folder) !== null;
    const lines = news();
    for (const line of lines.flatMap((text) => lineOf(text) ?? []))
      if (pane === null || line.pane === pane) onLine(line);
    if (isOver && lines.length === 0) return;
    const goesOn = await pauseUntil(currentTimeMs() + LOOK_MS, { signal, onStep: () => {} });
    if (!goesOn) return;
  }
}

function lineOf(text: string): CampaignLiveLine | null {
  try {
    const parsed = parseWith(CampaignLiveLine, JSON.parse(text));
    return parsed.kind === "valid" ? parsed.value : null;
  } catch {
    return null; // Half a line of a process that was killed while it wrote.
  }
}

/** How campaigns are shown where nobody says it. */
export async function configuredMode(caller: Caller): Promise<Config["campaign"]["mode"]> {
  const place = await findTreePlace(caller);
  return place.kind === "place" ? place.config.campaign.mode : "agent";
}
