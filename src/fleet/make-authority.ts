import * as v from "valibot";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import type { Environment } from "../base/environment.ts";
import { hasServerFile, readServerFile } from "../journal/known-jobs.ts";
import { runTool } from "./run-tool.ts";
import { join } from "node:path";
import { Fleet, ServerPaper, type FleetCluster } from "../queue/pure/fleet.ts";
import { findOwnServer, SERVERS } from "../queue/pure/server-config.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readPrivate, writePrivate } from "../system/private-document.ts";
import { hideSeeds, connectFleet } from "./fleet-file.ts";
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { jetstream, StorageType } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { withOwner, writeServerUrl } from "./make-streams.ts";

const DAYS = "3650";
const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", DAYS];

interface CertificateWish {
  readonly host: string;
  /** Of its files. */
  readonly name: string;
  readonly environment: Environment;
}

/** Makes an authority of this queue and a certificate for a server's name, once; null where both are there. */
export async function makeAuthority(
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
export async function writeServerPapers(
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
export async function takeServerPaper(folder: string, file: string): Promise<CommandFailure | null> {
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
export async function shareAccounts({ fleet, ca, until }: SharedFleet): Promise<void> {
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
export async function followAccounts(following: Following): Promise<void> {
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
