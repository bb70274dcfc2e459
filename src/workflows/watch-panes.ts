/**
 * Watches the panes that show a campaign.
 *
 * A killed viewer is restarted in its pane, at most so often and after a pause that doubles; the title of the
 * pane says so. A pane that a person has closed stays closed. The campaign does not depend on any of it.
 */
import { type CampaignStage, type Pane, PANES } from "../records/campaign-files.ts";
import type { Config } from "../config/config.ts";
import { readClockMs, repeatEvery } from "../system/clock.ts";
import type { Tmux } from "../system/tmux.ts";
import { chooseLookInterval } from "./heartbeat.ts";
import { findTmux, listPaneVariables } from "./start-tmux.ts";
import type { Caller } from "../base/environment.ts";

interface WatchedStage extends Caller {
  readonly config: Config;
  readonly stage: CampaignStage;
}

interface Viewer {
  readonly name: Pane;
  readonly id: string;
  restarts: number;
  /** The earliest moment of the next restart. */
  againAt: number;
}

/** Answers with the function that ends the watch. */
export async function watchPanes(shown: WatchedStage): Promise<() => void> {
  const tmux = await findTmux(shown.environment, shown.cwd);
  if (tmux === null) return () => {};
  const viewers = PANES.map((name): Viewer => {
    return { name, id: shown.stage.panes[name], restarts: 0, againAt: 0 };
  });
  let isLooking = false;
  return repeatEvery(chooseLookInterval(shown.config), () => {
    if (isLooking) return;
    isLooking = true;
    void checkPanes(tmux, viewers, shown).finally(() => (isLooking = false));
  });
}

async function checkPanes(tmux: Tmux, viewers: readonly Viewer[], shown: WatchedStage): Promise<void> {
  const session = `=${shown.stage.session_name}`;
  const listed = await tmux.ask("list-panes", "-s", "-t", session, "-F", "#{pane_id} #{pane_dead}");
  const dead = (listed ?? "").split("\n").flatMap((line) => /^(%\d+) 1$/u.exec(line)?.[1] ?? []);
  for (const viewer of viewers) if (dead.includes(viewer.id)) await restartViewer(tmux, viewer, shown);
}

async function restartViewer(tmux: Tmux, viewer: Viewer, { config, environment }: WatchedStage): Promise<void> {
  const { max_restarts, poll_interval_seconds } = config.campaign;
  if (viewer.restarts > max_restarts || readClockMs() < viewer.againAt) return;
  viewer.restarts += 1;
  const { id, name, restarts } = viewer;
  const isLeft = restarts > max_restarts;
  const words = isLeft ? `ended ${restarts} times, not restarted` : `restarted ${restarts} of ${max_restarts}`;
  viewer.againAt = readClockMs() + poll_interval_seconds * 1000 * 2 ** restarts;
  if (!isLeft) await tmux.ask("respawn-pane", "-t", id, ...listPaneVariables(environment));
  await tmux.ask("select-pane", "-t", id, "-T", `${name} (${words})`);
}
