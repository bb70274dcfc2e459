/**
 * Three servers have the same accounts. The first one writes them down in a bucket that only servers reach, and waits
 * until the others use them: a server forgets a stream of an account that it does not know.
 */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { jetstream, StorageType } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import * as v from "valibot";
import { Fleet, type FleetCluster } from "../queue/pure/fleet.ts";
import { SERVERS } from "../queue/pure/fleet-names.ts";
import { findOwnServer } from "../queue/pure/server-config.ts";
import { connectFleet } from "./connect-fleet.ts";
import { hideSeeds } from "./fleet-file.ts";
import { withOwner, writeServerUrl } from "./make-streams.ts";

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
