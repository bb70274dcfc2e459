/** Runs nats-server for a queue that several machines share, with its own authority, accounts and streams. */
import { setTimeout as delay } from "node:timers/promises";
import { type CommandFailure, refuse } from "../../contract/answers/command-failure.ts";
import type { Fleet } from "../../contract/queue/fleet.ts";
import { describeError } from "../../contract/values/describe-error.ts";
import type { Environment } from "../../contract/values/environment.ts";
import { canSync, SERVER_WANTED } from "../../core/queue/server-config.ts";
import { isAtLeast } from "../../core/words/version-order.ts";
import { makeFolders } from "../../io/files/make-folders.ts";
import { makeChildEnvironment } from "../../io/machine/environment.ts";
import { supervise } from "../../io/process/supervise.ts";
import { readServerFile, reloadServer, watchServerFile } from "../../io/queue/server-files.ts";
import { FLEET_FILE, makeAccount, readFleet, writeConfigOfServer, writeFleet } from "./fleet-file.ts";
import { makeAuthority } from "./make-authority.ts";
import { makeStreams, writeFleetUrl } from "./make-streams.ts";
import { runTool } from "./run-tool.ts";

const PROGRAM = "nats-server";
const WANTED = SERVER_WANTED.join(".");

export interface FleetServing {
  readonly folder: string;
  readonly host: string;
  readonly port: number;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Called when all accounts have their streams: after the start, and after each invitation. */
  readonly onReady: (server: ReadyServer) => void;
  readonly onTrouble: (message: string) => void;
}

export interface ReadyServer {
  readonly url: string;
  readonly config: string;
  readonly version: string;
  readonly durable: "fsync" | "deferred";
  readonly repositories: number;
}

/** Until the signal. */
export async function serveFleet(request: FleetServing): Promise<CommandFailure | { readonly kind: "stopped" }> {
  const { folder, environment } = request;
  makeFolders(folder, 0o700);
  const fleet = await openFleet(request);
  if ("kind" in fleet) return fleet;
  const refusal = await makeAuthority(folder, { host: fleet.host, environment });
  if (refusal !== null) return refusal;
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

async function openFleet({ folder, host, port }: FleetServing): Promise<Fleet | CommandFailure> {
  const known = await readFleet(folder);
  if (known !== null && "kind" in known) return known;
  if (known !== null && known.host !== host)
    return refuse({
      cause: "other_host",
      message: `The certificate in ${folder} is for ${known.host}.`,
      next: `Serve it with --host ${known.host}, or name another folder with --dir.`,
    });
  const kept = known?.budget === undefined ? {} : { budget: known.budget };
  const fleet: Fleet = { version: 1, host, port, accounts: known?.accounts ?? [makeAccount(null)], ...kept };
  await writeFleet(folder, fleet);
  return fleet;
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
  await turn;
  if (signal.aborted) return { kind: "stopped" };
  const said = end.stderr.toString("utf8").trim().split("\n").at(-1) ?? "";
  return refuse({ cause: "server_ended", message: `${PROGRAM} ended: ${said}`, next: `See ${folder}/server.log.` });
}

const LOG_BYTES_MAX = 64 * 1024 * 1024;
const LAST_WORDS = 64 * 1024;
const TRIES = 50;
const PAUSE_MS = 200;

/** Lets the server read who is a member now, and makes the streams of new repositories. */
async function refresh(request: FleetServing, { config, version }: Installed, until: AbortSignal): Promise<void> {
  const { folder, onReady, onTrouble } = request;
  const fleet = await readFleet(folder);
  if (fleet === null || "kind" in fleet) return onTrouble(fleet === null ? "fleet.json is gone" : fleet.message);
  await writeConfigOfServer(folder, fleet, version);
  reloadServer(folder);
  const ca = readServerFile(folder, "ca.pem");
  for (let tries = 1; !until.aborted; tries += 1) {
    try {
      await makeStreams(fleet, ca);
      const repositories = fleet.accounts.length - 1;
      return onReady({
        url: writeFleetUrl(fleet),
        config,
        version,
        durable: canSync(version) ? "fsync" : "deferred",
        repositories,
      });
    } catch (error) {
      if (tries === TRIES) return onTrouble(describeError(error));
      await delay(PAUSE_MS);
    }
  }
}
