/** What is true of a server only: it stops, it is killed, it cannot be reached, and it takes large attachments. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type Socket, connect as connectTo } from "node:net";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Claim, Engine } from "../../src/queue/pure/engine.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { waitUntil } from "../queue/engine-world.ts";
import { jobResult, jobSpec, jobTerms } from "../queue/jobs.ts";
import { findNatsServer, makeNatsPlace, nameNats, type NatsServer, openNatsServer } from "./nats-server.ts";
import { ENGINES } from "../queue/open-engine.ts";

const engines: Engine[] = [];
async function open(place: string): Promise<Engine> {
  const engine = await ENGINES.nats(place);
  engines.push(engine);
  return engine;
}

function claim(engine: Engine, worker: string, leaseMs = 60_000): Promise<Claim | null> {
  const wait = { until: "once", signal: new AbortController().signal } as const;
  return engine.claim({ id: worker, host: "here", pid: process.pid }, { labels: [], leaseMs }, wait);
}

/** Tries again until the server is back. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  const answer = await waitUntil(
    () =>
      work().then(
        (value) => ({ value }),
        () => null,
      ),
    (one) => one !== null,
  );
  if (answer === null) throw new Error("there is no answer");
  return answer.value;
}

/** A way to the server that can be cut. */
async function openWay(
  url: string,
): Promise<{ readonly url: string; readonly cut: () => void; readonly mend: () => void }> {
  const target = Number(new URL(url).port);
  const sockets = new Set<Socket>();
  let isCut = false;
  const way: Server = createServer((socket) => {
    const other = connectTo(target, "127.0.0.1");
    for (const one of [socket, other]) sockets.add(one.on("error", () => one.destroy()));
    if (isCut) socket.destroy();
    else socket.pipe(other).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(way, "listening");
  const address = way.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return { url: `nats://127.0.0.1:${port}`, cut, mend: () => (isCut = false) };
}

describe.skipIf(findNatsServer() === null)("a server (skipped where nats-server is not installed)", () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await openNatsServer(join(scratchFolder(), "nats"));
  });
  afterAll(async () => {
    for (const engine of engines) await engine.close();
    await server.stop();
  });

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "that ends by %s and is back loses nothing that it answered",
    async (signal) => {
      const place = await makeNatsPlace(server.url);
      const [engine, other] = [await open(place), await open(place)];
      for (const id of ["one", "two"]) await engine.submit(jobSpec({ key: id }), jobTerms(), id);
      const held = await claim(engine, "steady");
      await held?.append(["before"]);
      await server.stop(signal);
      const late = insist(() => engine.submit(jobSpec({ key: "three" }), jobTerms(), "three"));
      await server.start();
      expect(await late).toBe("three");
      expect(await insist(() => held?.append(["after"]) ?? Promise.resolve("fenced"))).toBe("recorded");
      expect(await held?.finish(jobResult())).toBe("recorded");
      const views = await insist(() => other.jobs());
      expect(views.map(({ id, phase, attempt }) => `${id} ${phase} ${attempt}`)).toEqual([
        "one done 1",
        "two waiting 0",
        "three waiting 0",
      ]);
      const texts: string[] = [];
      for await (const { text } of other.follow("one", "", AbortSignal.timeout(20_000)))
        if (texts.push(text) === 2) break;
      expect(texts).toEqual(["before", "after"]);
      expect((await claim(other, "next"))?.job).toBe("two");
    },
  );

  test("that cannot be reached for longer than the lease: the worker gives up first, and is fenced when it is back", async () => {
    const place = await makeNatsPlace(server.url);
    const way = await openWay(server.url);
    const [near, far] = [await open(place), await open(place.replace(server.url, way.url))];
    await near.submit(jobSpec(), jobTerms(), "job");
    const leaseMs = 3000;
    const held = await claim(far, "far", leaseMs);
    const leashes: number[] = [];
    held?.leash(({ endMs }) => leashes.push(endMs));
    expect(leashes).toHaveLength(1);
    way.cut();
    await once(held?.lost ?? new EventTarget(), "abort");
    // Nobody else may have it yet.
    expect(await near.find("job")).toMatchObject({ phase: "running", attempt: 1 });
    way.mend();
    expect(await held?.finish(jobResult())).toBe("fenced");
    expect(await held?.append(["late"])).toBe("fenced");
    // This worker beats again, so it gives the job back itself, once its session has surely ended.
    const again = await waitUntil(
      async () => (await claim(far, "far", leaseMs).catch(() => null)) ?? (await claim(near, "near", leaseMs)),
      (one) => one !== null,
    );
    expect(again).toMatchObject({ job: "job", attempt: 2 });
  });

  test("keeps nothing for a claim that has ended: no consumer for each job", async () => {
    const place = await makeNatsPlace(server.url);
    const engine = await open(place);
    const large = { "task.json": "x".repeat(300_000) }; // More than one message of the object store.
    for (const id of ["one", "two", "three"]) await engine.submit(jobSpec({ key: id }), jobTerms(), id);
    await engine.submit(jobSpec({ key: "large", files: large }), jobTerms(), "large");
    for (const id of ["one", "two", "three"]) {
      const held = await claim(engine, "worker");
      expect([held?.job, await held?.finish(jobResult())]).toEqual([id, "recorded"]);
    }
    const connection = await connect({ servers: server.url });
    const { streams } = await jetstreamManager(connection);
    const { state } = await streams.info(`OBJ_${nameNats(place.split("#")[1] ?? "").objects}`);
    await connection.close();
    expect(state.consumer_count).toBe(0);
    expect((await claim(engine, "worker"))?.spec.files).toEqual(large);
  });

  test("takes an attachment of 50 MB", async () => {
    const engine = await open(await makeNatsPlace(server.url));
    await engine.submit(jobSpec(), jobTerms(), "large");
    const held = await claim(engine, "carrier");
    const part = randomBytes(1024 * 1024);
    const parts = async function* (): AsyncGenerator<Uint8Array, void> {
      for (let count = 0; count < 50; count += 1) yield part;
    };
    const attachment = await held?.attach("bundle", parts());
    expect(attachment).toMatchObject({ bytes: 50 * part.length });
    let bytes = 0;
    // The hash is checked while it is read.
    for await (const piece of (await engine.readAttachment("large", 1, "bundle")) ?? []) bytes += piece.length;
    expect(bytes).toBe(50 * part.length);
  });
});
