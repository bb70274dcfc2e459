/** The disk of the server is full: what cannot be written is refused in plain words, and nothing that was answered is lost. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { mountSmallDisk } from "../../lab/chaos/small-disk.ts";
import type { Claim, Engine } from "../../src/queue/pure/engine.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { waitUntil } from "../queue/engine-world.ts";
import { jobResult, jobSpec, jobTerms } from "../queue/jobs.ts";
import { listNatsServers, makeNatsPlace, type NatsServer, openNatsServer, readNatsVersion } from "./nats-server.ts";
import { ENGINES } from "../queue/open-engine.ts";

const installed = listNatsServers().map((program) => ({ program, version: readNatsVersion(program) }));
const FULL = /^the disk of the server 127\.0\.0\.1:\d+ is full: its owner makes room/;
const LARGE = jobSpec({ files: { "task.json": "x".repeat(50_000) }, key: "other" });

/** Submits until the server takes no more, and answers with its words. */
async function fill(engine: Engine, taken: string[]): Promise<string> {
  for (let number = 0; number < 1000; number += 1) {
    try {
      taken.push(await engine.submit(LARGE, jobTerms(), `large-${number}`));
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
  return "the disk is never full";
}

function claim(engine: Engine): Promise<Claim | null> {
  const wait = { until: "once", signal: new AbortController().signal } as const;
  return engine.claim({ id: "worker", host: "here", pid: process.pid }, { labels: [], leaseMs: 60_000 }, wait);
}

async function listAll(engine: Engine): Promise<readonly string[]> {
  return (await engine.jobs()).map(({ id, phase }) => `${id} ${phase}`);
}

describe.skipIf(installed.length === 0)("a full disk (skipped where nats-server is not installed)", () => {
  describe.each(installed)("nats-server $version", ({ program }) => {
    const ends: (() => Promise<void> | void)[] = [];
    afterAll(async () => {
      for (const end of ends) await end();
    });
    const open = async (folder: string, bytesMax: number): Promise<NatsServer> => {
      const server = await openNatsServer(folder, { program, bytesMax });
      ends.unshift(() => server.stop());
      return server;
    };
    const connectTo = async (place: string): Promise<Engine> => {
      const engine = await ENGINES.nats(place);
      ends.unshift(() => engine.close());
      return engine;
    };

    test("the cap of the server: what cannot be written says so, and all goes on once there is room", async () => {
      const server = await open(join(scratchFolder(), "nats"), 3_000_000);
      const connection = await connect({ servers: server.url });
      const { streams } = await jetstreamManager(connection);
      await streams.add({ name: "ballast", subjects: ["ballast"] });
      await jetstream(connection).publish("ballast", Buffer.alloc(900_000));
      const engine = await connectTo(await makeNatsPlace(server.url));
      await engine.submit(jobSpec(), jobTerms(), "first");
      const held = await claim(engine);
      const taken: string[] = [];
      expect(await fill(engine, taken)).toMatch(FULL);
      expect(await listAll(engine)).toEqual(["first running", ...taken.map((id) => `${id} waiting`)]);
      await streams.delete("ballast");
      await connection.close();
      expect(await held?.append(["later"])).toBe("recorded");
      expect(await held?.finish(jobResult())).toBe("recorded");
      taken.push(await engine.submit(jobSpec(), jobTerms(), "last"));
      expect(await listAll(engine)).toEqual(["first done", ...taken.map((id) => `${id} waiting`)]);
    });

    test.skipIf(process.getuid?.() !== 0)("the disk itself: after room and a restart nothing is lost", async () => {
      const folder = join(scratchFolder(), "nats");
      mkdirSync(join(folder, "store"), { recursive: true });
      const disk = mountSmallDisk(join(folder, "store"));
      if (disk === null) return;
      ends.unshift(() => disk.unmount());
      const server = await open(folder, 8 * 1024 ** 3);
      const engine = await connectTo(await makeNatsPlace(server.url));
      await engine.submit(jobSpec(), jobTerms(), "first");
      const held = await claim(engine);
      disk.fill();
      const taken: string[] = [];
      // Before 2.10 the server answers nothing at all then.
      expect(await fill(engine, taken)).toMatch(/is full: its owner|timeout/);
      disk.clear();
      await server.stop();
      await server.start();
      const end = (): Promise<unknown> => held?.finish(jobResult()).catch(() => null) ?? Promise.resolve(null);
      await waitUntil(end, (answer) => answer === "recorded");
      expect(await listAll(engine)).toEqual(["first done", ...taken.map((id) => `${id} waiting`)]);
    });
  });
});
