/** What all workers of a team share: when each agent's service accepts work again. */
import type { KV, KvEntry } from "@nats-io/kv";
import * as v from "valibot";
import type { AgentLimits } from "../queue/pure/engine.ts";
import { Timestamp } from "../base/identifier.ts";
import { callServer, isOutdated, type NatsLink } from "./nats-link.ts";

/** A text in the form of a time need not be one: no minute is the 80th. */
const Moment = v.pipe(
  Timestamp,
  v.check((time) => !Number.isNaN(Date.parse(time))),
);
const Limit = v.pipe(v.string(), v.parseJson(), v.object({ agent: v.string(), until: Moment }));
type Limit = v.InferOutput<typeof Limit>;

const nameRow = (agent: string): string => `limit.${Buffer.from(agent).toString("base64url")}`;

export function openTeamLimits(link: Pick<NatsLink, "connection">, rows: KV, now: () => string): AgentLimits {
  return {
    block: (agent, until) => callServer(link, () => block(rows, { agent, until })),
    list: () =>
      callServer(link, async () => {
        const limits: Limit[] = [];
        for await (const key of await rows.keys("limit.>")) {
          const limit = parseLimit(await rows.get(key));
          if (limit !== null && limit.until > now()) limits.push(limit);
        }
        return limits;
      }),
  };
}

/** A member wrote the row; null where it is none, and the next limit takes its place. */
export function parseLimit(row: Pick<KvEntry, "string"> | null): Limit | null {
  const parsed = v.safeParse(Limit, row?.string());
  return parsed.success ? parsed.output : null;
}

/** Only ever later, by compare-and-swap. */
async function block(rows: KV, limit: Limit): Promise<void> {
  const row = nameRow(limit.agent);
  for (;;) {
    const entry = await rows.get(row);
    const known = parseLimit(entry);
    if (known !== null && known.until >= limit.until) return;
    try {
      await rows.put(row, JSON.stringify(limit), { previousSeq: entry?.revision ?? 0 });
      return;
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
}
