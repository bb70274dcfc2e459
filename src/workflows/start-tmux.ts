import type { StartedStage } from "../records/setup-answers.ts";
import { join } from "node:path";
import type { Environment, Caller } from "../base/environment.ts";
import { CampaignSessionConfig, type CampaignStage, type Pane, PANES } from "../records/campaign-files.ts";
import { readClockMs, repeatEvery } from "../system/clock.ts";
import { findOwnProgram } from "../system/find-program.ts";
import { makeFolders } from "../system/folders.ts";
import { pauseUntil } from "../system/pause.ts";
import { readNow } from "../system/read-files.ts";
import { type ApartProcess, startApart } from "../process/children.ts";
import { openTmux, type Tmux } from "../system/tmux.ts";
import { lockUnavailable, findHeldLock } from "../workspace/read-locks.ts";
import { type Refusal, refuse } from "../records/command-failure.ts";
import { readCampaignDocument } from "./campaign-on-disk.ts";
import { locatePrivateFolder, chooseBeatInterval } from "./heartbeat.ts";
import { type CampaignObstacle, type CampaignWish, prepareCampaign, type ReadyCampaign } from "./prepare-campaign.ts";
import { chooseCampaignModels } from "./pure/campaign-settings.ts";
import { NEW_CAMPAIGN } from "./pure/campaign-state.ts";
import { writeNow } from "../system/write-files.ts";
import type { Config } from "../config/config.ts";

/**
 * A campaign in the background, with three panes of tmux to watch it.
 *
 * The leader is an ordinary run in a process of its own, and the panes only follow its journal and its transcripts. So
 * a pane or a whole session can be closed without harm to the campaign.
 */

/** Tells the leader which session shows it. */
export const STAGE_VARIABLE = "RELAIS_CAMPAIGN_STAGE";
/** Marks the sessions of this repository, so that those of another are never killed. */
const OWNER_OPTION = "@relais_root";

export interface TmuxRequest extends CampaignWish {
  readonly signal: AbortSignal;
  readonly relais: readonly [string, ...string[]];
  readonly options: readonly string[];
}

/** `no-tmux` where tmux is not installed. */
export async function startInTmux(
  request: TmuxRequest,
): Promise<StartedStage | { readonly kind: "no-tmux" } | CampaignObstacle> {
  const { environment, cwd, slug } = request;
  const tmux = await findTmux(environment, cwd);
  if (tmux === null) return { kind: "no-tmux" };
  const ready = await prepareCampaign(request);
  if (ready.kind !== "campaign") return ready;
  // A second leader would report this only in its log.
  const lock = await findHeldLock(ready.workspace);
  if (lock.kind === "busy" || lock.kind === "corrupt") return lockUnavailable(lock);
  const { repository, stateDirectory } = ready.workspace;
  const folder = locatePrivateFolder(stateDirectory, slug);
  makeFolders(folder, 0o700);
  const session = nameSession(slug);
  const panes = await openPanes(tmux, session, request);
  if (panes === null) {
    await tmux.ask("kill-session", "-t", `=${session}`);
    return refuseNoSession();
  }
  await tmux.ask("set-option", "-t", session, OWNER_OPTION, repository.root);
  const stage: CampaignStage = { session_name: session, panes };
  const log = join(folder, "leader.log");
  const leader = startApart({
    argv: [...request.relais, "campaign", "run", slug, "--mode", "agent", ...request.options],
    cwd,
    env: { ...environment, [STAGE_VARIABLE]: JSON.stringify(stage) },
    log,
  });
  if (!(await waitForLeader(leader, ready.folder, request.signal))) {
    await tmux.ask("kill-session", "-t", `=${session}`);
    return refuseLeaderEnded(log);
  }
  const isInside = (environment["TMUX"] ?? "") !== "";
  const attach = isInside ? `tmux switch-client -t ${session}` : `tmux attach -t ${session}`;
  return { kind: "on-stage", session, panes, pid: leader.pid, attach };
}

const LEADING_MS = 30_000;
const LOOK_MS = 50;

/** Waits until the process has become the leader; false where it ended instead, as where another one is at work. */
async function waitForLeader({ pid, isOver }: ApartProcess, folder: string, signal: AbortSignal): Promise<boolean> {
  const until = readClockMs() + LEADING_MS;
  const isNamed = (): boolean => readCampaignDocument(join(folder, SESSION_CONFIG), CampaignSessionConfig)?.pid === pid;
  while (!isNamed() && !signal.aborted && readClockMs() < until) {
    if (isOver()) return isNamed();
    await pauseUntil(readClockMs() + LOOK_MS, { signal, onStep: () => {} });
  }
  return true;
}

const SAID_BYTES_MAX = 2000;

function refuseLeaderEnded(log: string): Refusal {
  const said = readNow(log, { bytesMax: SAID_BYTES_MAX, isTail: true })?.toString("utf8") ?? "";
  return refuse({
    cause: "leader_ended",
    message: "The leader ended during its start.",
    paths: said
      .trimEnd()
      .split("\n")
      .slice(-6)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
    next: "Run it without --mode tmux to see why, or check `relais status`.",
  });
}

export async function findTmux(environment: Environment, cwd: string): Promise<Tmux | null> {
  const program = await findOwnProgram("tmux", { path: environment["PATH"] ?? "", cwd });
  return program === null ? null : openTmux(program, environment);
}

function nameSession(slug: string): string {
  const stamp = new Date(readClockMs())
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/gu, "")
    .replace("T", "-");
  return `relais-${slug}-${stamp}`;
}

const ROLES: Readonly<Record<Pane, string>> = { leader: "runner", worker: "builder", verifier: "verifier" };

/** One pane above, two below. Ids stay the same when a person moves panes. */
async function openPanes(tmux: Tmux, session: string, request: TmuxRequest): Promise<CampaignStage["panes"] | null> {
  const shown = ["-P", "-F", "#{pane_id}", "-c", request.cwd, ...listPaneVariables(request.environment)];
  const viewer = (pane: Pane): readonly string[] => {
    return [...request.relais, "status", "--watch", "--role", ROLES[pane]];
  };
  const size = ["-x", "200", "-y", "50"];
  const leader = await tmux.ask("new-session", "-d", "-s", session, ...size, ...shown, ...viewer("leader"));
  if (leader === null) return null;
  await tmux.ask("set-option", "-t", session, "remain-on-exit", "on");
  await tmux.ask("set-option", "-w", "-t", session, "pane-border-status", "top");
  await tmux.ask("set-option", "-w", "-t", session, "pane-border-format", " #{pane_title} ");
  const worker = await tmux.ask("split-window", "-d", "-v", "-t", leader, ...shown, ...viewer("worker"));
  if (worker === null) return null;
  const verifier = await tmux.ask("split-window", "-d", "-h", "-t", worker, ...shown, ...viewer("verifier"));
  if (verifier === null) return null;
  const panes = { leader, worker, verifier };
  for (const name of PANES) await tmux.ask("select-pane", "-t", panes[name], "-T", name);
  await tmux.ask("select-pane", "-t", leader);
  return panes;
}

/** The server may have been started with another environment, and a viewer has to find the same state directory. */
export function listPaneVariables(environment: Environment): readonly string[] {
  return ["XDG_STATE_HOME", "HOME", "PATH"].flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : ["-e", `${name}=${value}`];
  });
}

function refuseNoSession(): Refusal {
  return refuse({
    cause: "tmux_refused",
    message: "tmux could not open a session.",
    next: "Run it without --mode tmux.",
  });
}

export async function killSessions(
  { environment, cwd, slug }: Pick<TmuxRequest, "environment" | "cwd" | "slug">,
  root: string,
): Promise<readonly string[]> {
  const tmux = await findTmux(environment, cwd);
  const listed = (await tmux?.ask("list-sessions", "-F", `#{session_name} #{${OWNER_OPTION}}`)) ?? null;
  if (tmux === null || listed === null) return [];
  const isOwn = (line: string): boolean =>
    line.startsWith(`relais-${slug}-`) && /^\d{8}-\d{6} /u.test(line.slice(`relais-${slug}-`.length));
  const own = listed.split("\n").filter((line) => isOwn(line) && line.slice(line.indexOf(" ") + 1) === root);
  const names = own.map((line) => line.slice(0, line.indexOf(" ")));
  for (const name of names) await tmux.ask("kill-session", "-t", `=${name}`);
  return names;
}

const SESSION_CONFIG = "session-config.json";

/** Names the tmux session of this leader, before a tick observes the repository. */
export function writeSessionConfig(
  { workspace: { config, repository }, settings, folder }: Omit<ReadyCampaign, "kind">,
  stage: CampaignStage,
): void {
  const { campaign } = config;
  const document: CampaignSessionConfig = {
    ...stage,
    slug: settings.slug,
    created_at: new Date(readClockMs()).toISOString(),
    pid: process.pid,
    root: repository.root,
    models: chooseCampaignModels(NEW_CAMPAIGN, { config, settings }),
    config: {
      max_iter: settings.max_iterations,
      poll_interval: campaign.poll_interval_seconds,
      iter_timeout: campaign.iteration_timeout_seconds,
      heartbeat_stale_threshold: campaign.heartbeat_stale_seconds,
      max_restarts: campaign.max_restarts,
      idle_nudge_threshold: campaign.idle_nudge_seconds,
      max_nudges: campaign.max_nudges,
    },
  };
  writeNow(join(folder, SESSION_CONFIG), `${JSON.stringify(document, null, 2)}\n`);
}

/**
 * Watches the panes that show a campaign.
 *
 * A killed viewer is restarted in its pane, at most so often and after a pause that doubles; the title of the
 * pane says so. A pane that a person has closed stays closed. The campaign does not depend on any of it.
 */

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
  return repeatEvery(chooseBeatInterval(shown.config), () => {
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
