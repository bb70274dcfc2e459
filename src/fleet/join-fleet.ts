import { join } from "node:path";
import { type CommandFailure, refuse } from "../records/command-failure.ts";
import { FleetCredentials, Invitation } from "../queue/pure/fleet.ts";
import { nameAddress, UserSettings } from "../queue/pure/user-settings.ts";
import type { Environment } from "../base/environment.ts";
import { writeAtomic } from "../system/atomic-file.ts";
import { locateUserFolder, locateUserSettings } from "../system/user-folder.ts";
import { readPrivate, writePrivate } from "../system/private-document.ts";

export interface JoinedFleet {
  readonly kind: "joined";
  readonly settings: string;
  readonly url: string;
  readonly repositories: readonly string[];
}

/** Writes the keys and the settings of this machine from an invitation. A later one adds its repositories. */
export async function joinFleet(file: string, environment: Environment): Promise<JoinedFleet | CommandFailure> {
  const read = await readPrivate(file, Invitation);
  if (read.kind !== "read")
    return refuse({
      cause: "no_invitation",
      message: read.kind === "missing" ? `There is no file ${file}.` : `${read.reason}.`,
      next: "Name the file that `relais queue invite` wrote, with the mode 600.",
    });
  const { url, ca, ...keys } = read.value;
  const folder = locateUserFolder(environment);
  const places = { credentials: join(folder, "credentials.json"), ca: join(folder, "queue-ca.pem") };
  const settings = locateUserSettings(environment);
  const [old, before] = [
    await readPrivate(places.credentials, FleetCredentials),
    await readPrivate(settings, UserSettings),
  ];
  for (const one of [old, before])
    if (one.kind === "unusable")
      return refuse({
        cause: "settings_unusable",
        message: `${one.reason}.`,
        next: "Correct the file, or move it away.",
      });
  const kept =
    old.kind === "read" ? old.value.repositories.filter((one) => !isAmong(one.address, keys.repositories)) : [];
  const repositories = [...kept, ...keys.repositories];
  await writePrivate(places.credentials, { ...keys, repositories });
  await writeAtomic(places.ca, ca, { mode: 0o600 });
  const worker = before.kind === "read" ? before.value.worker : { branches: [], commands: undefined, repositories: [] };
  const added = keys.repositories.flatMap(({ address, role }) => (role === "worker" ? [address] : []));
  const allowed = [...new Set([...worker.repositories, ...added])];
  await writePrivate(settings, { version: 1, queue: { url, ...places }, worker: { ...worker, repositories: allowed } });
  return { kind: "joined", settings, url, repositories: repositories.map(({ address }) => address) };
}

function isAmong(address: string, others: readonly { readonly address: string }[]): boolean {
  return others.some((other) => nameAddress(other.address) === nameAddress(address));
}
