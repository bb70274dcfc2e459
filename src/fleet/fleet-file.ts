/** `fleet.json`: the accounts of a queue's server, and who is a member of which one. */
import { join } from "node:path";
import { createUser } from "@nats-io/nkeys";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import { Fleet, type FleetAccount } from "../queue/pure/fleet.ts";
import type { Environment } from "../base/environment.ts";
import { nameAddress } from "../queue/pure/repository-address.ts";
import { type ServerPlace, writeServerConfig } from "../queue/pure/server-config.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { readPrivate, writePrivate } from "../system/private-document.ts";
import { countRoom } from "../journal/server-files.ts";
import { locateStateRoot } from "../journal/state-directory.ts";
import { makeToken } from "../journal/repository-token.ts";

export const FLEET_FILE = "fleet.json";
const SERVER_FILE = "server.conf";
const STORE_FOLDER = "streams";

/** Where the server of this user's queue keeps everything, unless the person names another folder. */
export function locateServerFolder(environment: Environment): string {
  return join(locateStateRoot(environment), "server");
}

interface UserKey {
  readonly public: string;
  readonly seed: string;
}

export function makeUserKey(): UserKey {
  const pair = createUser();
  return { public: pair.getPublicKey(), seed: Buffer.from(pair.getSeed()).toString("latin1") };
}

/** The token of a repository's address: part of all its names on the server. */
export function makeRepositoryToken(address: string): string {
  return makeToken(nameAddress(address) ?? address);
}

export async function readFleet(folder: string): Promise<Fleet | CommandFailure | null> {
  const read = await readPrivate(join(folder, FLEET_FILE), Fleet);
  if (read.kind === "read") return read.value;
  if (read.kind === "missing") return null;
  return refuse({ cause: "fleet_unusable", message: `${read.reason}.`, next: "Restore the file, or move it away." });
}

export function writeFleet(folder: string, fleet: Fleet): Promise<void> {
  return writePrivate(join(folder, FLEET_FILE), fleet);
}

/** For servers that make no streams. */
export function hideSeeds(fleet: Fleet): Fleet {
  const { cluster, accounts } = fleet;
  return {
    ...fleet,
    accounts: accounts.map(hideSeed),
    ...(cluster === undefined ? {} : { cluster: hideSeed(cluster) }),
  };
}

function hideSeed<T extends { readonly owner: FleetAccount["owner"] }>(one: T): T {
  return { ...one, owner: { public: one.owner.public } };
}

export function makeAccount(repository: string | null): FleetAccount {
  return { repository, owner: makeUserKey(), members: [] };
}

/** Answers with the path. */
export async function writeConfigOfServer(folder: string, fleet: Fleet, version: string): Promise<string> {
  const bytesMax = countRoom(folder, STORE_FOLDER);
  const place: ServerPlace = { version, folder, bytesMax, nameToken: makeRepositoryToken };
  const path = join(folder, SERVER_FILE);
  await writeAtomic(path, writeServerConfig(fleet, place), { mode: 0o600 });
  return path;
}
