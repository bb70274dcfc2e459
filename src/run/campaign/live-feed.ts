/**
 * What happens in a campaign right now, for whoever watches.
 *
 * It lies beside the journal and not in the repository, because a tick observes the repository while this is written.
 * The same feed is shown by `logs --follow` and by the panes of tmux; nothing is decided by it.
 */
import { join } from "node:path";
import type { CampaignSettings } from "../../contract/workflows/campaign.ts";
import type { CampaignLiveLine, Pane } from "../../contract/workflows/campaign-files.ts";
import type { Config } from "../../contract/config/config.ts";
import { currentTimeMs } from "../../io/machine/clock.ts";
import { every } from "../../io/machine/every.ts";
import { appendNow, followFile } from "../../io/files/follow-file.ts";
import { listFolders } from "../../io/files/list-folders.ts";
import { makeFolders } from "../../io/files/make-folders.ts";
import { filesIn } from "../../io/files/read-now.ts";
import { removeFile } from "../../io/files/remove-file.ts";
import { writeNow } from "../../io/files/write-now.ts";

export interface LiveFeed {
  /** Begins to give signs of life; not before the locks are held, because only one leader may. */
  readonly begin: () => void;
  readonly line: (pane: Pane, text: string) => void;
  /** The session of this kind does something, whether or not it can be told in words. */
  readonly sign: (pane: Pane) => void;
  /** A session of this kind begins; until its end it is expected to give signs of life. */
  readonly begun: (pane: "worker" | "verifier") => void;
  readonly ended: () => void;
  /** Shows what is left to be shown, and ends the signs of life. */
  readonly close: () => Promise<void>;
}

/** The folder of what is seen of a campaign while it runs. */
export function liveFolder(stateDirectory: string, slug: string): string {
  return join(stateDirectory, "campaigns", slug);
}

const LEAST_LOOK_MS = 250;

/** How often a leader looks after what it shows. */
export function lookMsOf({ campaign }: Pick<Config, "campaign">): number {
  return Math.max(LEAST_LOOK_MS, campaign.poll_interval_seconds * 1000);
}

export const LIVE_FILE = "live.jsonl";

/** Where the signs of life of one of them are. It is there for as long as they are expected. */
export function heartbeatPath(folder: string, pane: Pane): string {
  return join(folder, `${pane}-heartbeat.json`);
}

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

/** Opens the feed. Once it has begun, signs of life are noted until it is closed. */
export function openLiveFeed({ stateDirectory, settings, config, pid }: FeedPlace): LiveFeed {
  const folder = liveFolder(stateDirectory, settings.slug);
  makeFolders(folder, 0o700);
  const { beat, rest } = heartbeatsIn(folder, pid);
  const line: LiveFeed["line"] = (pane, text) => {
    const entry: CampaignLiveLine = { at: now(), pane, text };
    quietly(() => appendNow(join(folder, LIVE_FILE), `${JSON.stringify(entry)}\n`));
    sign(pane);
  };
  const sign = (pane: Pane): void => {
    if (watched?.pane !== pane) return;
    watched.signAt = currentTimeMs();
    watched.looks = 0;
    beat(pane);
  };
  let watched: Watched | null = null;
  const transcripts = followTranscripts(stateDirectory);
  const look = async (): Promise<void> => {
    beat("leader");
    for (const { pane, text } of await transcripts()) line(pane, text);
    const words = watched === null ? null : silence(watched, currentTimeMs(), config.campaign);
    if (words !== null) line("leader", words);
  };
  let stop: (() => void) | null = null;
  return {
    begin: () => {
      rest("worker", "verifier");
      beat("leader");
      stop = every(lookMsOf(config), () => void look().catch(() => null));
    },
    line,
    sign,
    begun: (pane) => {
      watched = { pane, signAt: currentTimeMs(), looks: 0 };
      beat(pane);
    },
    ended: () => {
      watched = null;
      rest("worker", "verifier");
    },
    close: async () => {
      if (stop === null) return;
      stop();
      await look().catch(() => null);
      watched = null;
      rest("leader", "worker", "verifier");
    },
  };
}

/** What cannot be shown is not shown: the session that is just heard goes on, whatever the disk says. */
function quietly(write: () => void): void {
  try {
    write();
  } catch {
    // Where the disk is full, the journal will say so, in order.
  }
}

function heartbeatsIn(folder: string, pid: number) {
  return {
    beat: (pane: Pane): void => {
      const text = `${JSON.stringify({ ts: now(), pid })}\n`;
      quietly(() => writeNow(heartbeatPath(folder, pane), text, 0o600));
    },
    /** Nothing is expected of these any more. */
    rest: (...panes: readonly Pane[]): void => {
      for (const pane of panes) removeFile(heartbeatPath(folder, pane));
    },
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

/**
 * Follows what the sessions print from now on. Lines of JSON are told by their driver in better words.
 *
 * A tick may be over before anybody has looked, so whatever came since the last look is looked at.
 */
function followTranscripts(stateDirectory: string) {
  const runs = join(stateDirectory, "runs");
  const followers = new Map<string, () => readonly string[]>();
  // Ticks are named by the second in which they begin.
  let since = now().replaceAll(/[-:]|\.\d+/gu, "");
  return async (): Promise<readonly { readonly pane: Pane; readonly text: string }[]> => {
    const ticks = (await listFolders(runs)).filter((name) => name >= since);
    since = ticks.at(-1) ?? since;
    return ticks.flatMap((tick) =>
      filesIn(join(runs, tick)).flatMap((name) => {
        const pane = paneOf(name);
        if (pane === null) return [];
        const path = join(runs, tick, name);
        const words = followers.get(path) ?? followWords(path);
        followers.set(path, words);
        return words().map((text) => ({ pane, text }));
      }),
    );
  };
}

function paneOf(name: string): Pane | null {
  if (name === "builder.log") return "worker";
  if (name === "verify.log") return "leader";
  return /^verifier-.*\.log$/u.test(name) ? "verifier" : null;
}

/** The words in a transcript, as they come. The rest of a line of JSON that was only half there is known by its beginning. */
function followWords(path: string): () => readonly string[] {
  const file = followFile(path);
  let begun = "";
  return () => {
    const lines = `${begun}${file.news()}`.split("\n");
    begun = isJson(lines.at(-1) ?? "") ? JSON_BEGIN : "";
    return lines
      .filter((line) => line.trim() !== "" && !isJson(line))
      .map((line) => line.slice(0, LINE_CHARS_MAX));
  };
}

const JSON_BEGIN = "{";

const isJson = (line: string): boolean => line.startsWith(JSON_BEGIN);
