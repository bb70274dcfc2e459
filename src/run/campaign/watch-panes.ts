/**
 * Looks after the panes that show a campaign.
 *
 * A viewer that was killed is started again in its pane, within bounds and after a pause that doubles. A pane that a
 * person has closed is gone, and nobody opens it again. Nothing about the campaign depends on any of it.
 */
import type { Environment } from "../../contract/values/environment.ts";
import { type CampaignStage, type Pane, PANES } from "../../contract/workflows/campaign-files.ts";
import type { Config } from "../../contract/config/config.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { every } from "../../io/machine/every.ts";
import type { Tmux } from "../../io/machine/tmux.ts";
import { type LiveFeed, lookMsOf } from "./live-feed.ts";
import { findTmux, paneVariables } from "./start-tmux.ts";

interface PaneWatch {
  readonly begin: () => void;
  readonly end: () => void;
}

interface Shown {
  readonly cwd: string;
  readonly environment: Environment;
  readonly config: Config;
  readonly stage: CampaignStage;
  readonly feed: Pick<LiveFeed, "line">;
}

interface Viewer {
  readonly name: Pane;
  readonly id: string;
  restarts: number;
  /** Not before this moment is it started again. */
  againAt: number;
}

/** The watch over the panes of a stage; null where there is no tmux any more. */
export async function watchPanes(shown: Shown): Promise<PaneWatch | null> {
  const tmux = await findTmux(shown.environment, shown.cwd);
  if (tmux === null) return null;
  const viewers = PANES.map((name): Viewer => ({
    name,
    id: shown.stage.panes[name],
    restarts: 0,
    againAt: 0,
  }));
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const dead = await deadPanes(tmux, shown.stage);
      for (const viewer of viewers) if (dead.includes(viewer.id)) await revive(tmux, viewer, shown);
    } catch {
      // What cannot be shown is not shown: the campaign does not depend on it, and the next look tries again.
    }
    isLooking = false;
  };
  let stop: (() => void) | null = null;
  return {
    begin: () => {
      stop = every(lookMsOf(shown.config), () => void look());
    },
    end: () => stop?.(),
  };
}

async function deadPanes(tmux: Tmux, { session_name }: CampaignStage): Promise<readonly string[]> {
  const listed = await tmux.ask(
    "list-panes",
    "-s",
    "-t",
    `=${session_name}`,
    "-F",
    "#{pane_id} #{pane_dead}",
  );
  return (listed ?? "").split("\n").flatMap((line) => /^(%\d+) 1$/u.exec(line)?.[1] ?? []);
}

async function revive(tmux: Tmux, viewer: Viewer, { config, environment, feed }: Shown): Promise<void> {
  const { max_restarts, poll_interval_seconds } = config.campaign;
  if (viewer.restarts > max_restarts || currentTimeMs() < viewer.againAt) return;
  viewer.restarts += 1;
  if (viewer.restarts > max_restarts) {
    feed.line("leader", `the ${viewer.name} pane has ended ${viewer.restarts} times and is left as it is`);
    return;
  }
  viewer.againAt = currentTimeMs() + poll_interval_seconds * 1000 * 2 ** viewer.restarts;
  await tmux.ask("respawn-pane", "-t", viewer.id, ...paneVariables(environment));
  feed.line(
    "leader",
    `the ${viewer.name} pane had ended and was restarted, ${viewer.restarts} of ${max_restarts}`,
  );
}
