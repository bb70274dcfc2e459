import type { JetStreamManager } from "@nats-io/jetstream";
import type { ObjectInfo } from "@nats-io/obj";

/** Removes an object without the marker that the client would leave for each name for ever. */
export async function removeObject(
  manager: JetStreamManager,
  bucket: string,
  { name, nuid }: Pick<ObjectInfo, "name" | "nuid">,
): Promise<void> {
  const coded = Buffer.from(name).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
  for (const subject of [`M.${coded}`, `C.${nuid}`])
    await manager.streams.purge(`OBJ_${bucket}`, { filter: `$O.${bucket}.${subject}` });
}
