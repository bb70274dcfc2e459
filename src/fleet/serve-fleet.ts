/** Runs nats-server for a queue that several machines share, with its own authority, accounts and streams. */
import { join } from "node:path";
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { jetstream, StorageType } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import type { Environment } from "../base/environment.ts";
import { hasServerFile, readServerFile, reloadServer, watchServerFile } from "../journal/known-jobs.ts";
import { runTool } from "./run-tool.ts";
import { Fleet, type FleetCluster, type ServerAddress, ServerPaper } from "../queue/pure/fleet.ts";
import { canSync, findOwnServer, SERVER_WANTED, SERVERS } from "../queue/pure/server-config.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readPrivate, writePrivate } from "../system/private-document.ts";
import {
  connectFleet,
  FLEET_FILE,
  hideSeeds,
  makeAccount,
  makeUserKey,
  readFleet,
  writeConfigOfServer,
  writeFleet,
} from "./fleet-file.ts";
import { makeStreams, withOwner, writeFleetUrl, writeServerUrl } from "./make-streams.ts";
import { describeError } from "../base/errors.ts";
import { isAtLeast } from "../base/version-order.ts";
import { makeFolders } from "../system/folders.ts";
import { makeChildEnvironment } from "../system/child-environment.ts";
import { supervise } from "../process/supervise.ts";

const DAYS = "3650";
const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", DAYS];

interface CertificateWish {
  readonly host: string;
  /** Of its files. */
  readonly name: string;
  readonly environment: Environment;
}

/** Makes an authority of this queue and a certificate for a server's name, once; null where both are there. */
async function makeAuthority(
  folder: string,
  { host, name, environment }: CertificateWish,
): Promise<CommandFailure | null> {
  const authority = ["-subj", "/CN=relais queue", "-keyout", "ca.key", "-out", "ca.pem"];
  const server = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`, "-CA", "ca.pem", "-CAkey", "ca.key"];
  const use = ["-addext", "basicConstraints=critical,CA:FALSE", "-keyout", `${name}.key`, "-out", `${name}.pem`];
  if (!hasServerFile(folder, "ca.pem")) {
    const made = await runTool(["openssl", "req", "-x509", ...NEW_KEY, ...authority], { folder, environment });
    if (made.status !== 0) return explain(made);
  }
  if (hasServerFile(folder, `${name}.pem`)) return null;
  const made = await runTool(["openssl", "req", "-x509", ...NEW_KEY, ...server, ...use], { folder, environment });
  return made.status === 0 ? null : explain(made);
}

function explain({ status, text }: { readonly status: number | null; readonly text: string }): CommandFailure {
  const words = text.split("\n").at(-1) ?? "";
  const message = status === null ? "openssl cannot be started." : `openssl made no certificate: ${words}`;
  const next = "Install openssl 3 or later and make sure that it is on the PATH.";
  return refuse({ cause: "no_openssl", message, next });
}

/** What the other servers of a cluster need, as one private file for each of them. */

/** Answers with the paths; nothing where this is not the first of several servers. */
async function writeServerPapers(
  folder: string,
  fleet: Fleet,
  environment: Environment,
): Promise<readonly string[] | CommandFailure> {
  const { cluster } = fleet;
  if (cluster === undefined || findOwnServer(fleet) > 0) return [];
  const files: string[] = [];
  for (const [at, { host, port }] of cluster.servers.entries()) {
    if (at === 0) continue;
    const name = `server-${at + 1}`;
    const refusal = await makeAuthority(folder, { host, name, environment });
    if (refusal !== null) return refusal;
    const file = join(folder, `${name}.relais.json`);
    const [ca, certificate, key] = ["ca.pem", `${name}.pem`, `${name}.key`].map((one) => readServerFile(folder, one));
    await writePrivate(file, { version: 1, fleet: { ...hideSeeds(fleet), host, port }, ca, certificate, key });
    files.push(file);
  }
  return files;
}

/** The files of a server, from such a paper. Null where they were written. */
async function takeServerPaper(folder: string, file: string): Promise<CommandFailure | null> {
  const read = await readPrivate(file, ServerPaper);
  if (read.kind !== "read")
    return refuse({
      cause: "no_paper",
      message: read.kind === "missing" ? `There is no file ${file}.` : `${read.reason}.`,
      next: "Name the file that `relais queue serve --with` wrote on the first server, with the mode 600.",
    });
  const { fleet, ca, certificate, key } = read.value;
  for (const [name, text] of Object.entries({ "ca.pem": ca, "server.pem": certificate, "server.key": key }))
    await writeAtomic(join(folder, name), text, { mode: 0o600 });
  await writePrivate(join(folder, "fleet.json"), fleet);
  return null;
}

/**
 * Three servers have the same accounts. The first one writes them down in a bucket that only servers reach, and waits
 * until the others use them: a server forgets a stream of an account that it does not know.
 */

const LOOK_MS = 500;
const Accounts = Fleet.entries.accounts;

const sumOf = (text: string): string => createHash("sha256").update(text).digest("hex");

interface SharedFleet {
  readonly fleet: Fleet & { readonly cluster: FleetCluster };
  readonly ca: string;
  readonly until: AbortSignal;
}

/** Resolves when all servers use the accounts of the first one. */
async function shareAccounts({ fleet, ca, until }: SharedFleet): Promise<void> {
  const { cluster } = fleet;
  const text = JSON.stringify(hideSeeds(fleet).accounts);
  await withOwner({ fleet, ca, owner: cluster.owner }, async (connection) => {
    const kinds = { storage: StorageType.File, replicas: cluster.servers.length };
    const rows = await new Kvm(connection).create(SERVERS.bucket, kinds);
    await rows.put(SERVERS.accountsRow, text);
    const others = [...cluster.servers.keys()].slice(1);
    const isKnown = async (at: number): Promise<boolean> =>
      (await rows.get(`${SERVERS.knownRows}.${at}`))?.string() === sumOf(text);
    while (!until.aborted && !(await Promise.all(others.map(isKnown))).every(Boolean)) await delay(LOOK_MS);
  });
}

interface Following extends SharedFleet {
  /** Resolves once this server uses them. */
  readonly adopt: (accounts: Fleet["accounts"]) => Promise<void>;
}

/** Until the signal, through all times when the servers do not see each other. */
async function followAccounts(following: Following): Promise<void> {
  while (!following.until.aborted) {
    await followOnce(following).catch(() => null);
    await delay(LOOK_MS);
  }
}

async function followOnce({ fleet, ca, until, adopt }: Following): Promise<void> {
  const seed = fleet.cluster.peer.seed;
  const connection = await connectFleet({ url: writeServerUrl(fleet), ca, seed }, "server");
  try {
    const rows = await new Kvm(jetstream(connection, { checkAPI: false })).open(SERVERS.bucket);
    let known = "";
    for (; !until.aborted; await delay(LOOK_MS)) {
      const text = (await rows.get(SERVERS.accountsRow))?.string() ?? "";
      if (text === known || text === "") continue;
      await adopt(v.parse(Accounts, JSON.parse(text)));
      await rows.put(`${SERVERS.knownRows}.${findOwnServer(fleet)}`, sumOf(text));
      known = text;
    }
  } finally {
    await connection.close();
  }
}

const PROGRAM = "nats-server";
const WANTED = SERVER_WANTED.join(".");

interface FleetServing {
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
  watchServerFile(folder, FLEET_FILE, call, until);
  const followed = follow(request, installed, until);
  const end = await supervise({
    program: PROGRAM,
    args: ["--config", installed.config],
    cwd: folder,
    env: makeChildEnvironment(environment, [], {}),
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
