/** What all workers of a team share: when each agent's service accepts work again. */
import type { KV } from "@nats-io/kv";
import type { AgentLimits } from "../../contract/queue/engine.ts";
import { callServer, isOutdated, type NatsLink } from "./nats-link.ts";

interface Limit {
  readonly agent: string;
  readonly until: string;
}

const nameRow = (agent: string): string => `limit.${Buffer.from(agent).toString("base64url")}`;

export function openTeamLimits(link: Pick<NatsLink, "connection">, rows: KV, now: () => string): AgentLimits {
  return {
    block: (agent, until) => callServer(link, () => block(rows, { agent, until })),
    list: () =>
      callServer(link, async () => {
        const limits: Limit[] = [];
        for await (const key of await rows.keys("limit.>")) {
          const limit = (await rows.get(key))?.json<Limit>();
          if (limit !== undefined && limit.until > now()) limits.push(limit);
        }
        return limits;
      }),
  };
}

/** Only ever later, by compare-and-swap. */
async function block(rows: KV, limit: Limit): Promise<void> {
  const row = nameRow(limit.agent);
  for (;;) {
    const entry = await rows.get(row);
    if (entry !== null && entry.json<Limit>().until >= limit.until) return;
    try {
      await rows.put(row, JSON.stringify(limit), { previousSeq: entry?.revision ?? 0 });
      return;
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
}
