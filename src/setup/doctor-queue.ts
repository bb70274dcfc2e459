import { QueueError } from "../queue/pure/queue-error.ts";
import { describeError } from "../base/describe-error.ts";
import type { Environment } from "../base/environment.ts";
import { canSync, SERVER_WANTED } from "../queue/pure/server-config.ts";
import { type DoctorCheck, fail, ok, warn } from "../checks/pure/doctor-check.ts";
import { isAtLeast } from "../base/version-order.ts";
import { findUserSettings } from "../journal/user-settings-file.ts";
import type { FleetFacts } from "../fleet/examine-fleet.ts";

const SUBJECT = "queue";
const WANTED = SERVER_WANTED.join(".");
const CLOCK_MS_MAX = 5000;

/** Nothing where the person's queue is a folder of this machine. */
export async function checkQueue(environment: Environment): Promise<readonly DoctorCheck[]> {
  try {
    const queue = (await findUserSettings(environment))?.queue;
    if (queue === undefined) return [];
    // The client of the server is large, and most people have none.
    const { examineFleet } = await import("../fleet/examine-fleet.ts");
    return describeFleet(await examineFleet(queue), queue.url);
  } catch (error) {
    const isOurs = error instanceof QueueError;
    const fix = isOurs
      ? "Correct it, or join again: `relais queue join FILE`."
      : "Check that the server runs and that its name leads to it; a replaced key needs a new invitation.";
    const message = isOurs ? `${error.message}.` : `The server of the queue refuses us: ${describeError(error)}.`;
    return [fail(SUBJECT, { message, fix })];
  }
}

export function describeFleet(facts: FleetFacts, url: string): readonly DoctorCheck[] {
  const { version, repositories, aheadMs } = facts;
  if (!isAtLeast(version, SERVER_WANTED))
    return [
      fail(SUBJECT, { message: `nats-server ${version} is too old.`, fix: `Install nats-server ${WANTED} or later.` }),
    ];
  const copies = Math.min(...repositories.map((one) => one.copies));
  const place = `${url}, nats-server ${version}, repositories: ${repositories.length}, copies of each: ${copies}`;
  return [ok(SUBJECT, place), ...checkDurability(facts), ...checkRights(facts), ...checkClock(aheadMs)];
}

function checkDurability({ version, isSynced, repositories }: FleetFacts): readonly DoctorCheck[] {
  const copies = Math.min(...repositories.map((one) => one.copies));
  if (isSynced || copies > 1) return [];
  const message = "Durability is deferred: a power cut of the server may take back the last two minutes.";
  const remedy = canSync(version)
    ? "Start the server with `relais queue serve`, which lets it sync each write"
    : "Install nats-server 2.10 or later there";
  return [warn(SUBJECT, { message, fix: `${remedy}, or run three servers.` })];
}

function checkRights({ repositories }: FleetFacts): readonly DoctorCheck[] {
  return repositories.flatMap(({ address, excess }) =>
    excess.length === 0
      ? []
      : [
          fail(SUBJECT, {
            message: `The key for ${address} has rights that only the owner should have.`,
            problems: excess,
            fix: "Let the server be run by `relais queue serve`, and ask for a new invitation.",
          }),
        ],
  );
}

function checkClock(aheadMs: number): readonly DoctorCheck[] {
  if (Math.abs(aheadMs) <= CLOCK_MS_MAX) return [];
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const message = `The clock of this machine is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} that of the server.`;
  return [warn(SUBJECT, { message, fix: "Let both machines set their clocks by the network (NTP)." })];
}
