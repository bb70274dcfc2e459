/** Runs nats-server for a queue that several machines share, with its own authority, accounts and streams. */
import { setTimeout as delay } from "node:timers/promises";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import type { Fleet, ServerAddress } from "../queue/pure/fleet.ts";
import { describeError } from "../base/errors.ts";
import type { Environment } from "../base/environment.ts";
import { canSync, findOwnServer, SERVER_WANTED } from "../queue/pure/server-config.ts";
import { isAtLeast } from "../base/version-order.ts";
import { makeFolders } from "../system/folders.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import { supervise } from "../process/supervise.ts";
import { readServerFile, reloadServer, watchServerFile } from "../journal/known-jobs.ts";
import { FLEET_FILE, makeAccount, makeUserKey, readFleet, writeConfigOfServer, writeFleet } from "./fleet-file.ts";
import { makeAuthority } from "./make-authority.ts";
import { makeStreams, writeFleetUrl } from "./make-streams.ts";
import { runTool } from "./run-tool.ts";
import { takeServerPaper, writeServerPapers } from "./make-authority.ts";
import { followAccounts, shareAccounts } from "./make-authority.ts";

const PROGRAM = "nats-server";
const WANTED = SERVER_WANTED.join(".");

export interface FleetServing {
  readonly folder: string;
  /** Null: as before, or the default. */
  readonly host: string | null;
  readonly port: number | null;
  /** The other two of three servers, where this is the first one. */
  readonly others: readonly ServerAddress[];
  /** What the first server wrote for this one. */
  readonly paper: string | null;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Called when all accounts have their streams: after the start, and after each invitation. */
  readonly onReady: (server: ReadyServer) => void;
  /** Called with the files for the other servers, before this one waits for them. */
  readonly onPapers: (files: readonly string[]) => void;
  readonly onTrouble: (message: string) => void;
}

export interface ReadyServer {
  readonly url: string;
  readonly config: string;
  readonly version: string;
  readonly durable: "fsync" | "deferred" | "replicated";
  readonly repositories: number;
}

/** Until the signal. */
export async function serveFleet(request: FleetServing): Promise<CommandFailure | { readonly kind: "stopped" }> {
  const { folder, environment } = request;
  makeFolders(folder, 0o700);
  const unread = request.paper === null ? null : await takeServerPaper(folder, request.paper);
  if (unread !== null) return unread;
  const fleet = await openFleet(request);
  if ("kind" in fleet) return fleet;
  const refusal = await makeAuthority(folder, { host: fleet.host, name: "server", environment });
  if (refusal !== null) return refusal;
  const papers = await writeServerPapers(folder, fleet, environment);
  if ("kind" in papers) return papers;
  if (papers.length > 0) request.onPapers(papers);
  const { status, text } = await runTool([PROGRAM, "--version"], { folder, environment });
  // The newest syntax would be wrong for an older server, so the oldest one is written.
  const config = await writeConfigOfServer(folder, fleet, status === 0 ? text : WANTED);
  if (status !== 0)
    return refuse({
      cause: "no_server",
      message: `${PROGRAM} is not installed; its configuration is in ${config}.`,
      next: `Install ${PROGRAM} ${WANTED} or later, and run this again.`,
    });
  if (!isAtLeast(text, SERVER_WANTED))
    return refuse({
      cause: "old_server",
      message: `${text} is too old.`,
      next: `Install ${PROGRAM} ${WANTED} or later.`,
    });
  return run(request, { config, version: text });
}

const PORT = 4222;

async function openFleet(request: FleetServing): Promise<Fleet | CommandFailure> {
  const known = await readFleet(request.folder);
  if (known !== null && "kind" in known) return known;
  const refusal = known === null ? null : refuseChange(known, request);
  if (refusal !== null) return refusal;
  const fleet = known === null ? makeFleet(request) : { ...known, port: request.port ?? known.port };
  await writeFleet(request.folder, fleet);
  return fleet;
}

function makeFleet({ host, port, others }: FleetServing): Fleet {
  const server = { host: host ?? "localhost", port: port ?? PORT };
  return { version: 1, ...server, accounts: [makeAccount(null)], ...makeCluster([server, ...others]) };
}

function refuseChange(known: Fleet, { folder, host, others }: FleetServing): CommandFailure | null {
  if (host !== null && known.host !== host)
    return refuse({
      cause: "other_host",
      message: `The certificate in ${folder} is for ${known.host}.`,
      next: `Serve it with --host ${known.host}, or name another folder with --dir.`,
    });
  if (others.length === 0 || known.cluster !== undefined) return null;
  return refuse({
    cause: "one_server",
    message: `The queue in ${folder} has one server, and its data would not move to three.`,
    next: "Name another folder with --dir, invite again, and run `relais queue rebuild` on every machine.",
  });
}

function makeCluster(servers: readonly ServerAddress[]): Pick<Fleet, "cluster"> {
  if (servers.length === 1) return {};
  return { cluster: { servers: [...servers], owner: makeUserKey(), peer: makeUserKey() } };
}

interface Installed {
  readonly config: string;
  readonly version: string;
}

async function run(
  request: FleetServing,
  installed: Installed,
): Promise<CommandFailure | { readonly kind: "stopped" }> {
  const { folder, environment, signal } = request;
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  let turn = refresh(request, installed, until);
  const call = (): void => {
    turn = turn.then(() => refresh(request, installed, until));
  };
  watchServerFile(folder, FLEET_FILE, { call, signal: until });
  const followed = follow(request, installed, until);
  const end = await supervise({
    program: PROGRAM,
    args: ["--config", installed.config],
    cwd: folder,
    env: makeChildEnvironment({ inherit: environment, names: [], set: {} }),
    input: null,
    isOwn: true,
    deadlineMs: Number.POSITIVE_INFINITY,
    log: { path: `${folder}/server.log`, bytesMax: LOG_BYTES_MAX },
    stdoutBytesMax: 0,
    stderrBytesMax: LAST_WORDS,
    signal,
  });
  over.abort();
  await Promise.all([turn, followed]);
  if (signal.aborted) return { kind: "stopped" };
  const said = end.stderr.toString("utf8").trim().split("\n").at(-1) ?? "";
  return refuse({ cause: "server_ended", message: `${PROGRAM} ended: ${said}`, next: `See ${folder}/server.log.` });
}

const LOG_BYTES_MAX = 64 * 1024 * 1024;
const LAST_WORDS = 64 * 1024;
const TRIES = 50;
const PAUSE_MS = 200;

/** Another server than the first one takes the accounts from there. */
async function follow({ folder }: FleetServing, { version }: Installed, until: AbortSignal): Promise<void> {
  const fleet = await readFleet(folder);
  if (fleet === null || "kind" in fleet || fleet.cluster === undefined || findOwnServer(fleet) === 0) return;
  const { cluster } = fleet;
  const adopt = async (accounts: Fleet["accounts"]): Promise<void> => {
    const next = { ...fleet, accounts };
    await writeConfigOfServer(folder, next, version);
    reloadServer(folder);
    await delay(RELOAD_MS);
    await writeFleet(folder, next);
  };
  await followAccounts({ fleet: { ...fleet, cluster }, ca: readServerFile(folder, "ca.pem"), until, adopt });
}

/** A server answers nothing when it has read its configuration again. */
const RELOAD_MS = 1000;

/** Lets the server read who is a member now, and makes the streams of new repositories. */
async function refresh(request: FleetServing, { config, version }: Installed, until: AbortSignal): Promise<void> {
  const { folder, onReady, onTrouble } = request;
  const fleet = await readFleet(folder);
  if (fleet === null || "kind" in fleet) return onTrouble(fleet === null ? "fleet.json is gone" : fleet.message);
  await writeConfigOfServer(folder, fleet, version);
  reloadServer(folder);
  const trouble = await insist(() => makeAll(fleet, readServerFile(folder, "ca.pem"), until), {
    fleet,
    until,
    onTrouble,
  });
  if (trouble) return;
  const alone = canSync(version) ? "fsync" : "deferred";
  const durable = fleet.cluster === undefined ? alone : "replicated";
  onReady({ url: writeFleetUrl(fleet), config, version, durable, repositories: fleet.accounts.length - 1 });
}

interface Patience extends Pick<FleetServing, "onTrouble"> {
  readonly fleet: Fleet;
  readonly until: AbortSignal;
}

/** Several servers begin when two of them see each other, however long that takes. Answers whether it did not work. */
async function insist(work: () => Promise<void>, { fleet, until, onTrouble }: Patience): Promise<boolean> {
  for (let tries = 1; !until.aborted && (tries <= TRIES || fleet.cluster !== undefined); tries += 1) {
    try {
      await work();
      return false;
    } catch (error) {
      if (tries === TRIES) onTrouble(describeError(error));
      await delay(PAUSE_MS);
    }
  }
  return true;
}

async function makeAll(fleet: Fleet, ca: string, until: AbortSignal): Promise<void> {
  const { cluster } = fleet;
  if (findOwnServer(fleet) > 0) return;
  if (cluster !== undefined) await shareAccounts({ fleet: { ...fleet, cluster }, ca, until });
  if (!until.aborted) await makeStreams(fleet, ca);
}
