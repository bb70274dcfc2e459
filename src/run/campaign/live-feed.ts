/**
 * What happens in a campaign right now, for whoever watches.
 *
 * It lies beside the journal and not in the repository, because a tick observes the repository while this is written.
 * The same feed is shown by `logs --follow` and by the panes of tmux; nothing is decided by it.
 */
import { join } from "node:path";
import type { CampaignSettings } from "../../contract/campaign.ts";
import type { CampaignLiveLine, Pane } from "../../contract/campaign-files.ts";
import type { Config } from "../../contract/config.ts";
import { currentTimeMs } from "../../io/clock.ts";
import { every } from "../../io/every.ts";
import { appendNow, type FileFollower, followFile } from "../../io/follow-file.ts";
import { listFolders } from "../../io/list-folders.ts";
import { makeFolders } from "../../io/make-folders.ts";
import { filesIn } from "../../io/read-now.ts";
import { writeNow } from "../../io/write-now.ts";

export interface LiveFeed {
  readonly line: (pane: Pane, text: string) => void;
  /** A session of this kind begins; until its end it is expected to give signs of life. */
  readonly begun: (pane: "worker" | "verifier") => void;
  readonly ended: () => void;
  readonly close: () => void;
}

/** The folder of what is seen of a campaign while it runs. */
export function liveFolder(stateDirectory: string, slug: string): string {
  return join(stateDirectory, "campaigns", slug);
}

const LEAST_LOOK_MS = 250;

export const LIVE_FILE = "live.jsonl";

interface FeedPlace {
  readonly stateDirectory: string;
  readonly settings: Pick<CampaignSettings, "slug">;
  readonly config: Config;
  readonly pid: number;
}

interface Watched {
  readonly pane: "worker" | "verifier";
  /** When it last gave a sign of life. */
  signAt: number;
  /** How often it was found silent since. */
  looks: number;
}

const now = (): string => new Date(currentTimeMs()).toISOString();

/** Opens the feed; from then on signs of life are noted until it is closed. */
export function openLiveFeed({ stateDirectory, settings, config, pid }: FeedPlace): LiveFeed {
  const folder = liveFolder(stateDirectory, settings.slug);
  makeFolders(folder, 0o700);
  const { campaign } = config;
  const line: LiveFeed["line"] = (pane, text) => {
    const entry: CampaignLiveLine = { at: now(), pane, text };
    appendNow(join(folder, LIVE_FILE), `${JSON.stringify(entry)}\n`);
    if (watched?.pane === pane) sign(watched);
  };
  const sign = (who: Watched): void => {
    who.signAt = currentTimeMs();
    who.looks = 0;
    beat(who.pane);
  };
  const beat = (pane: Pane): void =>
    writeNow(join(folder, `${pane}-heartbeat.json`), `${JSON.stringify({ ts: now(), pid })}\n`, 0o600);
  let watched: Watched | null = null;
  const transcripts = followTranscripts(stateDirectory);
  const look = async (): Promise<void> => {
    beat("leader");
    for (const { pane, text } of await transcripts()) line(pane, text);
    if (watched === null) return;
    const words = silence(watched, currentTimeMs(), campaign);
    if (words !== null) line("leader", words);
  };
  beat("leader");
  // What cannot be shown is not shown: nothing depends on it.
  const lookMs = Math.max(LEAST_LOOK_MS, campaign.poll_interval_seconds * 1000);
  const stop = every(lookMs, () => void look().catch(() => null));
  return {
    line,
    begun: (pane) => {
      watched = { pane, signAt: currentTimeMs(), looks: 0 };
      beat(pane);
    },
    ended: () => {
      watched = null;
    },
    close: stop,
  };
}

/** What is said about a session that has been silent for long: each look once, until it is given up. */
function silence(watched: Watched, nowMs: number, campaign: Config["campaign"]): string | null {
  const { heartbeat_stale_seconds, idle_nudge_seconds, max_nudges } = campaign;
  const silentSeconds = (nowMs - watched.signAt) / 1000;
  if (silentSeconds < heartbeat_stale_seconds + watched.looks * idle_nudge_seconds) return null;
  if (watched.looks >= max_nudges) return null;
  watched.looks += 1;
  const end = watched.looks === max_nudges ? "; it is ended and restarted next" : "";
  return `the ${watched.pane} is stale: silent for ${Math.floor(silentSeconds)} s, look ${watched.looks} of ${max_nudges}${end}`;
}

const LINE_CHARS_MAX = 400;

/** Follows what the sessions of the newest tick print. Lines of JSON are told by their driver in better words. */
function followTranscripts(stateDirectory: string) {
  const followers = new Map<string, FileFollower>();
  let current = "";
  return async (): Promise<readonly { readonly pane: Pane; readonly text: string }[]> => {
    const runs = join(stateDirectory, "runs");
    const newest = (await listFolders(runs)).at(-1);
    if (newest === undefined) return [];
    if (newest !== current) followers.clear();
    current = newest;
    return filesIn(join(runs, newest)).flatMap((name) => {
      const pane = paneOf(name);
      if (pane === null) return [];
      const path = join(runs, newest, name);
      const follower = followers.get(path) ?? followFile(path);
      followers.set(path, follower);
      return wordsIn(follower.news().toString("utf8")).map((text) => ({ pane, text }));
    });
  };
}

function paneOf(name: string): Pane | null {
  if (name === "builder.log") return "worker";
  if (name === "verify.log") return "leader";
  return /^verifier-.*\.log$/u.test(name) ? "verifier" : null;
}

function wordsIn(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((words) => words.trim() !== "" && !words.startsWith("{"))
    .map((words) => words.slice(0, LINE_CHARS_MAX));
}
