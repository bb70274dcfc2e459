/** The queue of several machines as this member sees it: one connection and one engine for each of its repositories. */
import { jetstream } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Engine } from "../queue/pure/engine.ts";
import { QueueError } from "../queue/pure/queue-error.ts";
import type { TeamBudget } from "../queue/pure/team-budget.ts";
import { nameFleet, TEAM } from "../queue/pure/fleet-names.ts";
import { nameAddress } from "../queue/pure/repository-address.ts";
import { refuseSharedSpec } from "../queue/pure/shared-job.ts";
import { readClockMs } from "../system/clock.ts";
import { joinEngines, type RepositoryEngine } from "./join-engines.ts";
import { openTeamBudget } from "./nats-budget.ts";
import { openNatsEngine } from "./nats-engine.ts";
import { callServer, explainNats } from "./nats-link.ts";
import { connectFleet } from "./connect-fleet.ts";
import { makeRepositoryToken } from "./fleet-file.ts";
import { keepKnown } from "./known-engine.ts";
import { type QueueSettings, readFleetKeys } from "./fleet-keys.ts";

const now = (): string => new Date(readClockMs()).toISOString();

interface OpenedFleet {
  readonly engine: Engine;
  readonly budget: TeamBudget;
}

/** `known` is the folder of what this machine knows of the jobs. */
export async function openFleet(settings: QueueSettings, known: string): Promise<OpenedFleet> {
  const { url, ca, keys } = await readFleetKeys(settings);
  const opened: NatsConnection[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(opened.map((connection) => connection.close()));
  };
  const open = async (seed: string): Promise<NatsConnection> => {
    const connection = await connectFleet({ url, ca, seed }, keys.name).catch((error: unknown) => {
      throw explainNats(error, url);
    });
    opened.push(connection);
    return connection;
  };
  try {
    const team = { connection: await open(keys.team), bucket: TEAM.bucket };
    const members: RepositoryEngine[] = [];
    for (const { address, seed, role } of keys.repositories) {
      const names = nameFleet(makeRepositoryToken(address));
      const canCut = role === "worker";
      const engine = await openNatsEngine({ connection: await open(seed), names, team, canCut });
      members.push({ name: nameAddress(address) ?? address, engine });
    }
    const [first, ...others] = members;
    if (first === undefined) throw new QueueError("refused", "your keys are for no repository: ask for an invitation");
    const engine = joinEngines([first, ...others], ({ repository }) =>
      repository.kind === "url" ? nameAddress(repository.url) : null,
    );
    const rows = await callServer(team, () =>
      new Kvm(jetstream(team.connection, { checkAPI: false })).open(TEAM.bucket),
    );
    const budget = openTeamBudget({ ...team, rows, member: keys.name, nameToken: makeRepositoryToken, engine, now });
    const kept = keepKnown(engine, known);
    const submit: Engine["submit"] = async (spec, terms, id) => {
      const why = refuseSharedSpec(spec);
      if (why !== null) throw new QueueError("refused", `no worker of a shared queue takes this job: ${why}`);
      return kept.submit(spec, terms, id);
    };
    return { engine: { ...kept, submit, close: () => engine.close().finally(closeAll) }, budget };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
