/** What all workers of a team share, on a real server: the limits of agents' services, and the budget. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstream } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import * as v from "valibot";
import { expect, test } from "vitest";
import { Fleet } from "../../src/queue/pure/fleet.ts";
import { UserSettings } from "../../src/queue/pure/user-settings.ts";
import { TEAM } from "../../src/queue/pure/server-config.ts";
import { connectFleet, type QueueSettings, readFleetKeys } from "../../src/fleet/fleet-file.ts";
import { openFleet } from "../../src/fleet/open-fleet.ts";
import { waitUntil } from "../queue/engine-world.ts";
import { type FleetMember, joinAs } from "../support/fleet-member.ts";
import { type FleetServer, hasServer, openFleetServer } from "../support/fleet-server.ts";
import { type TickRepository, tickRepository } from "../support/tick-repository.ts";

const Listed = v.object({ jobs: v.array(v.looseObject({ job: v.string(), phase: v.string() })) });

interface Team {
  readonly repository: TickRepository;
  readonly server: FleetServer;
  readonly ben: FleetMember;
  readonly cleo: FleetMember;
  readonly submit: (member: FleetMember, url: string, steps: readonly object[]) => Promise<void>;
  readonly urls: readonly [string, string];
}

/** Two workers with homes of their own, each of another repository. */
async function openTeam(): Promise<Team> {
  const repository = tickRepository({ branch: "main" });
  const { box, root, git, task } = repository;
  const make = (name: string): string => {
    git("clone", "--quiet", "--bare", root, join(box, name));
    return `file://${join(box, name)}`;
  };
  const urls = [make("shop.git"), make("site.git")] as const;
  const server = await openFleetServer();
  const ben = await joinAs("ben", repository, await server.invite("ben", "worker", urls[0]));
  const cleo = await joinAs("cleo", repository, await server.invite("cleo", "worker", urls[1]));
  for (const member of [ben, cleo]) member.allow("task");
  const submit: Team["submit"] = async (member, url, steps) => {
    writeFileSync(join(box, "task.json"), JSON.stringify(task(steps)));
    const done = await member.type("submit", "task", join(box, "task.json"), "--repo", url);
    if (done.status !== 0) throw new Error(done.stderr);
  };
  return { repository, server, ben, cleo, submit, urls };
}

function readQueueSettings({ home }: FleetMember): QueueSettings {
  const { queue } = v.parse(UserSettings, JSON.parse(readFileSync(join(home, "config/relais/settings.json"), "utf8")));
  if (queue === undefined) throw new Error("no queue");
  return queue;
}

const openMember = (member: FleetMember) => openFleet(readQueueSettings(member), join(member.home, "known"));

test.skipIf(!hasServer)("when one worker meets a rate limit, a worker of another machine waits too", async () => {
  const { server, ben, cleo, submit, urls, repository } = await openTeam();
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const trace = join(repository.box, "ran");
  await submit(ben, urls[0], [
    { do: "print", stream: "stderr", text: `retry-at: ${until}\n` },
    { do: "exit", status: 75 },
  ]);
  await submit(cleo, urls[1], [{ do: "run", argv: ["touch", trace] }]);
  const met = await ben.type("worker", "--once", "--unsandboxed");
  expect(met.stdout + met.stderr).toContain(`a limit until ${until}`);
  const waits = await cleo.type("worker", "--once", "--unsandboxed");
  expect(waits.stdout + waits.stderr).toContain(`The service of scripted refused a session: a limit until ${until}`);
  expect(existsSync(trace)).toBe(false);
  const { jobs } = v.parse(Listed, JSON.parse((await cleo.type("queue", "--json")).stdout));
  expect(jobs).toMatchObject([{ phase: "waiting", spent: { sessions: 0 }, waits_for: `it starts at ${until}` }]);
  expect((await cleo.type("queue", "--plain")).stdout).toContain(`No session of scripted starts before ${until}.`);
  await server.stop();
});

const of = (job: string, repository: string, dollars = 0) => ({ job, repository, total: { dollars, tokens: 0 } });

function setBudget({ folder }: FleetServer, budget: object): void {
  const file = join(folder, "fleet.json");
  const fleet = v.parse(Fleet, JSON.parse(readFileSync(file, "utf8")));
  writeFileSync(file, JSON.stringify({ ...fleet, budget }), { mode: 0o600 });
}

test.skipIf(!hasServer)(
  "the team's budget holds over machines and repositories, and only its owner sets it",
  async () => {
    const { server, ben, cleo, submit, urls } = await openTeam();
    const [near, far] = [await openMember(ben), await openMember(cleo)];
    expect(await near.budget.read()).toBeNull();
    setBudget(server, { per: "day", dollars: 3 });
    await waitUntil(near.budget.read, (view) => view !== null);
    // Ten at once on two machines: three dollars are three jobs.
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 === 0 ? near : far).budget.reserve(of(`job-${at}`, urls[at % 2] ?? "")),
      ),
    );
    expect(answers.filter(({ kind }) => kind === "within")).toHaveLength(3);
    const held = answers.flatMap(({ kind }, at) => (kind === "within" ? [at] : []));
    for (const at of held) {
      const { budget } = at % 2 === 0 ? near : far;
      await budget.count(of(`job-${at}`, urls[at % 2] ?? "", 0.9));
      await budget.settle(of(`job-${at}`, urls[at % 2] ?? "", 0.9));
      await budget.settle(of(`job-${at}`, urls[at % 2] ?? "", 0.9));
    }
    const view = await far.budget.read();
    expect([view?.spent.dollars.toFixed(2), view?.reserved.dollars.toFixed(2)]).toEqual(["2.70", "0.00"]);
    await near.engine.close();
    await far.engine.close();

    await submit(cleo, urls[1], [{ do: "write", path: "src/x.ts", text: "new\n" }]);
    const refused = await cleo.type("worker", "--once", "--unsandboxed");
    expect(refused.stdout + refused.stderr).toMatch(
      /BLOCKED_BUDGET_CAP: the team has spent \$2\.70 \(.*(ben|cleo) \$.*\) of \$3\.00 a day/,
    );
    const { jobs } = v.parse(Listed, JSON.parse((await cleo.type("queue", "--json")).stdout));
    expect(jobs).toMatchObject([{ phase: "waiting", spent: { sessions: 0 } }]);
    expect((await ben.type("queue", "--plain")).stdout).toContain("Budget: the team has spent $2.70");
    const { url, ca, keys } = await readFleetKeys(readQueueSettings(ben));
    const connection = await connectFleet({ url, ca, seed: keys.team }, "ben");
    const rows = await new Kvm(jetstream(connection, { checkAPI: false, timeout: 2000 })).open(TEAM.bucket);
    await expect(rows.put(TEAM.capRow, JSON.stringify({ per: "day", dollars: 1000 }))).rejects.toThrow(/permission/i);
    await connection.close();
    await server.stop();
  },
);

test.skipIf(!hasServer)("what a lost worker held and spent is counted once", async () => {
  const { server, ben, submit, urls } = await openTeam();
  setBudget(server, { per: "total", dollars: 2 });
  const lost = await openMember(ben);
  await waitUntil(lost.budget.read, (view) => view !== null);
  await submit(ben, urls[0], []);
  const want = { labels: [], leaseMs: 60_000 };
  const wait = { until: "once", signal: new AbortController().signal } as const;
  const claim = await lost.engine.claim({ id: "lost", host: "h", pid: 1 }, want, wait);
  const { job = "" } = claim ?? {};
  const at = (dollars: number) => of(job, urls[0], dollars);
  await lost.budget.reserve(at(0));
  await claim?.spend({ ticks: 0, sessions: 1, dollars: 0.5, seconds: 0 });
  // It is gone before it could count this, and its job was ended by somebody else.
  await claim?.finish({
    outcome: "failed",
    code: null,
    exit_status: 1,
    branch: null,
    commit: null,
    spent: claim.spent,
    summary: "x",
  });
  await lost.budget.reserve({ ...at(0), job: "second" });
  expect(await lost.budget.reserve({ ...at(0), job: "third" })).toMatchObject({ kind: "over", until: null });
  const view = await lost.budget.read();
  expect(view).toMatchObject({
    spent: { dollars: 0.5 },
    reserved: { dollars: 1 },
    by: [{ member: "ben", dollars: 0.5 }],
  });
  await lost.engine.close();
  await server.stop();
});
