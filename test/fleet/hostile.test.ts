/** What a person of the team, or a stolen key of a submitter, may try: real keys and the real server. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstream } from "@nats-io/jetstream";
import { Objm } from "@nats-io/obj";
import type { NatsConnection } from "@nats-io/transport-node";
import * as v from "valibot";
import { afterEach, expect, test } from "vitest";
import type { JobSpec } from "../../src/queue/pure/job.ts";
import { nameFleet } from "../../src/queue/pure/server-config.ts";
import { makeRepositoryToken } from "../../src/fleet/fleet-file.ts";
import { waitUntil } from "../queue/engine-world.ts";
import { jobSpec, jobTerms } from "../queue/jobs.ts";
import { joinAs } from "../support/fleet-member.ts";
import { openFleetRepository } from "../support/fleet-repository.ts";
import { connectMember, hasServer } from "../support/fleet-server.ts";
import { executable } from "../support/relais.ts";

const Listed = v.object({
  jobs: v.array(v.looseObject({ job: v.string(), phase: v.string(), result: v.nullable(v.looseObject({})) })),
});

const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function openTeam() {
  const { repository, url, server } = await openFleetRepository();
  const { box, task } = repository;
  opened.push({ close: server.stop });
  const asks = await server.invite("dan", "submitter", url);
  const dan = await joinAs("dan", repository, asks);
  const ben = await joinAs("ben", repository, await server.invite("ben", "worker", url));
  ben.allow("task");
  const list = async () => v.parse(Listed, JSON.parse((await dan.type("queue", "--json")).stdout)).jobs;
  const submit = async (steps: readonly object[]): Promise<void> => {
    writeFileSync(join(box, "task.json"), JSON.stringify(task(steps)));
    const done = await dan.type("submit", "task", join(box, "task.json"), "--repo", url);
    if (done.status !== 0) throw new Error(done.stderr);
  };
  return { repository, server, url, dan, ben, asks, list, submit };
}

/** Writes records as a program of its own would, with the keys of a submitter. */
class Forger {
  readonly #connection: NatsConnection;
  readonly #names: ReturnType<typeof nameFleet>;
  #end = { seq: 0, sum: "" };

  constructor(connection: NatsConnection, url: string) {
    this.#connection = connection;
    this.#names = nameFleet(makeRepositoryToken(url));
  }

  /** With the right number and sum, whatever else it says. */
  async write(event: object, isTaken = false, spoil: (text: string) => string = (text) => text): Promise<void> {
    const seq = this.#end.seq + 1;
    const at = new Date().toISOString();
    const body = JSON.stringify({ v: 1, seq, at, by: "forger", event }).slice(0, -1);
    const sum = createHash("sha256").update(this.#end.sum).update(body).digest("hex").slice(0, 16);
    const text = spoil(`${body},"sum":"${sum}"}`);
    await jetstream(this.#connection, { checkAPI: false }).publish(this.#names.logSubject, text);
    this.#end = { seq, sum: isTaken ? sum : this.#end.sum };
  }

  async submit(job: string, spec: unknown, head: Omit<JobSpec, "files" | "config">): Promise<void> {
    const text = typeof spec === "string" ? spec : JSON.stringify(spec);
    const store = `${job.replaceAll(/[^0-9A-Za-z]/g, "x")}-000000000000`;
    const objects = await new Objm(jetstream(this.#connection, { checkAPI: false })).open(this.#names.objects);
    await objects.putBlob({ name: `${store}/spec` }, Buffer.from(text));
    const hash = createHash("sha256").update(text).digest("hex");
    await this.write({ kind: "submitted", job, store, head, spec: hash, terms: jobTerms() }, !job.includes("/"));
  }
}

const headOf = ({ files: _files, config: _config, ...head }: JobSpec) => head;

test.skipIf(!hasServer)(
  "forged records neither leave their folder, nor end a worker, nor stop the jobs of others",
  async () => {
    const { repository, url, asks, ben, list, submit } = await openTeam();
    const connection = await connectMember(asks);
    opened.push(connection);
    const forger = new Forger(connection, url);
    const spec = jobSpec({ repository: { kind: "url", url }, key: "k" });
    // Names that would lead out of the worker's folder, and shapes that no relais writes.
    await forger.submit("../../../outside", spec, headOf(spec));
    await forger.write({ kind: "submitted", job: "x", store: "../../x", head: headOf(spec), spec: "0".repeat(64) });
    await forger.write({ kind: "nothing-known" });
    await forger.write({ kind: "claimed", job: {} }, false, (text) => text.replace("claimed", "claimed\\u0000"));
    // Well formed, but it follows nothing; and one that follows that.
    for (const sum of ["0000000000000000", ""])
      await forger.write({ kind: "held", is_held: true }, false, (text) =>
        text.replace(/"sum":"\w{16}/, `"sum":"${sum}`),
      );
    // A specification that is none, and one that says something else than the list.
    await forger.submit("none", "no JSON", headOf(spec));
    await forger.submit("other", { ...spec, command: "task" }, headOf({ ...spec, key: "other" }));
    // Well formed, but nothing that the worker's owner allowed.
    const evil = { ...spec, key: "evil", arguments: ["--allow=**", "--", "x"] };
    await forger.submit("evil", evil, headOf(evil));
    const trace = join(repository.box, "ran");
    await submit([
      { do: "run", argv: ["touch", trace] },
      { do: "write", path: "src/x.ts", text: "new\n" },
    ]);
    const worked = await ben.type("worker", "--drain", "--unsandboxed");
    expect(worked).toMatchObject({ status: 0 });
    const jobs = await list();
    expect(jobs.map(({ phase, result }) => [phase, result?.["summary"]])).toEqual([
      ["failed", expect.stringContaining("none of this job")],
      ["failed", expect.stringContaining("none of this job")],
      ["failed", expect.stringMatching(/^Refused: /)],
      ["done", expect.any(String)],
    ]);
    expect(existsSync(trace)).toBe(true);
    expect(existsSync(join(ben.home, "state", "outside"))).toBe(false);
  },
  60_000,
);

test.skipIf(!hasServer)("a submitter ends the job of a lost worker, although it may not touch the beats", async () => {
  const { repository, dan, ben, list, submit } = await openTeam();
  await submit([{ do: "sleep", ms: 60_000 }]);
  const worker = startWorker(ben.environment, repository.root);
  await waitUntil(list, (jobs) => jobs[0]?.phase === "running");
  worker.kill("SIGKILL");
  await once(worker, "exit");
  const [job] = await list();
  expect(await dan.type("queue", "cancel", job?.job ?? "")).toMatchObject({ status: 0, stderr: "" });
  expect((await list())[0]).toMatchObject({ phase: "cancelled" });
});

function startWorker(environment: Readonly<Record<string, string>>, cwd: string, ...more: string[]) {
  const env = { ...process.env, ...environment };
  const args = [executable, "worker", "--unsandboxed", "--plain", ...more];
  return spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
}

test.skipIf(!hasServer)(
  "a worker whose keys were replaced says so and ends",
  async () => {
    const { repository, server, url, ben, list, submit } = await openTeam();
    await submit([{ do: "write", path: "src/x.ts", text: "new\n" }]);
    const worker = startWorker(ben.environment, repository.root);
    let said = "";
    for (const stream of [worker.stdout, worker.stderr])
      stream.on("data", (data: Buffer) => (said += data.toString("utf8")));
    const ended = once(worker, "exit");
    await waitUntil(list, (jobs) => jobs[0]?.phase === "done");
    await server.invite("ben", "worker", url);
    const [status] = await ended;
    expect([status, said]).toEqual([10, expect.stringMatching(/ask its owner for a new invitation/)]);
  },
  60_000,
);

test.skipIf(!hasServer)("an address with a login is refused, wherever it could get into a job", async () => {
  const { server, dan, ben } = await openTeam();
  for (const address of [
    "https://user:s3cret@git.example.com/team/app",
    "https://s3cret@git.example.com/team/app",
    "ssh://git:s3cret@git.example.com/team/app",
    "https://git.example.com/team/app?private_token=s3cret",
  ]) {
    const submitted = await dan.type("submit", "run", "x", "--repo", address);
    expect([address, submitted]).toEqual([
      address,
      { status: 10, stdout: "", stderr: expect.stringMatching(/a job never holds a secret/) },
    ]);
    expect(submitted.stderr).not.toContain("s3cret");
    const invited = await dan.type("queue", "invite", "eva", "--repo", address, "--dir", server.folder);
    expect([address, invited.status]).toEqual([address, 10]);
    expect(invited.stderr).not.toContain("s3cret@");
    ben.set({ worker: { repositories: [address], branches: [], commands: ["run"] } });
    expect(await ben.type("worker", "--once", "--unsandboxed")).toMatchObject({
      status: 10,
      stderr: expect.stringContaining("credential helper"),
    });
  }
  expect(readFileSync(join(server.folder, "fleet.json"), "utf8")).not.toContain("s3cret");
});

test.skipIf(!hasServer)("what no worker would take is refused when it is submitted", async () => {
  const { dan, url, list, repository } = await openTeam();
  const large = join(repository.box, "large.md");
  writeFileSync(large, "x".repeat(5_000_000));
  for (const [args, says] of [
    [["run", "x", "--allow", "**"], /--allow=\*\* is not allowed in a shared queue/],
    [["run", "--file", large], /longer than \d+ characters|larger than|at most/],
  ] as const)
    expect([args, await dan.type("submit", ...args, "--repo", url)]).toEqual([
      args,
      { status: expect.any(Number), stdout: "", stderr: expect.stringMatching(says) },
    ]);
  expect(await list()).toEqual([]);
});

test.skipIf(!hasServer)("a base that is gone from the git server ends the job with a sentence", async () => {
  const { dan, ben, url, list, repository } = await openTeam();
  ben.allow("run");
  const gone = "1234567890123456789012345678901234567890";
  const args = ["submit", "run", "x", "--repo", url, "--base", gone];
  expect(await dan.type(...args)).toMatchObject({ status: 0 });
  await ben.type("worker", "--once", "--unsandboxed");
  const [job] = await list();
  expect(job).toMatchObject({
    phase: "failed",
    result: { summary: expect.stringMatching(/the commit .* is not part of/) },
  });
  expect(repository.git("--git-dir", url.slice(7), "branch", "--list", "relais/*")).toBe("");
});
