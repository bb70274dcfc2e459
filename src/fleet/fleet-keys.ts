import { FleetCredentials } from "../queue/pure/fleet.ts";
import { QueueError } from "../queue/pure/queue-error.ts";
import type { UserSettings } from "../queue/pure/user-settings.ts";
import { readBounded } from "../system/bounded-file.ts";
import { readPrivate } from "../system/private-document.ts";

const PEM_BYTES_MAX = 1024 * 1024;

export type QueueSettings = NonNullable<UserSettings["queue"]>;

/** The keys of this machine, and how to reach the server. Throws a `QueueError` where the files cannot be used. */
export async function readFleetKeys({ url, ca, credentials }: QueueSettings) {
  const read = await readPrivate(credentials, FleetCredentials);
  if (read.kind === "missing") throw new QueueError("refused", `there is no file ${credentials} (queue.credentials)`);
  if (read.kind === "unusable") throw new QueueError("refused", read.reason);
  const pem = ca === undefined ? null : await readBounded(ca, PEM_BYTES_MAX);
  if (pem !== null && pem.kind !== "read") throw new QueueError("refused", `${ca} cannot be read (queue.ca)`);
  return { url, keys: read.value, ca: pem === null ? null : pem.data.toString("utf8") };
}
