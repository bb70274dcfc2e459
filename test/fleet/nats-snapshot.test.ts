/** A long log on a server is cut behind a snapshot, and forged messages in it change nothing. */
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { Objm } from "@nats-io/obj";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Claim, Engine } from "../../src/queue/pure/engine.ts";
import { ENDED_MAX } from "../../src/queue/pure/queue-state.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { toBytes } from "../queue/child-command.ts";
import { type ChildStarter, prepareChildren } from "../queue/children.ts";
import { waitUntil } from "../queue/engine-world.ts";
import { jobResult, jobSpec, jobTerms } from "../queue/jobs.ts";
import {
  listNatsServers,
  makeNatsPlace,
  nameNats,
  type NatsServer,
  openNatsServer,
  readNatsVersion,
} from "./nats-server.ts";
import { ENGINES } from "../queue/open-engine.ts";

const RECORDS_MAX = 60;
const installed = listNatsServers().map((program) => ({ program, version: readNatsVersion(program) }));
const DAY_MS = 24 * 60 * 60 * 1000;

function claim(engine: Engine): Promise<Claim | null> {
  const wait = { until: "once", signal: new AbortController().signal } as const;
  return engine.claim({ id: "test", host: "here", pid: process.pid }, { labels: [], leaseMs: 60_000 }, wait);
}

const list = async (engine: Engine) =>
  (await engine.jobs()).map(({ id, phase, attempt }) => `${id} ${phase} ${attempt}`);

const namesOf = (place: string) => nameNats(place.split("#")[1] ?? "");

const run = async (engine: Engine, id: string): Promise<void> => {
  await engine.submit(jobSpec({ key: id }), jobTerms(), id);
  expect(await (await claim(engine))?.finish(jobResult())).toBe("recorded");
};

describe.skipIf(installed.length === 0)("servers (skipped where nats-server is not installed)", () => {
  describe.each(installed)("nats-server $version", ({ program }) => {
    let server: NatsServer;
    let connection: NatsConnection;
    let children: ChildStarter;
    const engines: Engine[] = [];
    beforeAll(async () => {
      children = await prepareChildren("nats");
      server = await openNatsServer(join(scratchFolder(), "nats"), { program });
      connection = await connect({ servers: server.url });
    });
    afterAll(async () => {
      await children.endAll();
      for (const engine of engines) await engine.close();
      await connection.close();
      await server.stop();
    });

    const open = async (place: string, doubles: Parameters<typeof ENGINES.nats>[1] = {}): Promise<Engine> => {
      const engine = await ENGINES.nats(place, { recordsMax: RECORDS_MAX, ...doubles });
      engines.push(engine);
      return engine;
    };
    const readLog = async (place: string) =>
      (await (await jetstreamManager(connection)).streams.info(namesOf(place).log)).state;
    /** Runs jobs until a snapshot has replaced everything before it. */
    const runUntilCut = async (engine: Engine, place: string, name: string): Promise<void> => {
      const before = Math.max(1, (await readLog(place)).first_seq);
      for (let number = 0; ; number += 1) {
        await run(engine, `${name}-${number}`);
        if ((await readLog(place)).first_seq > before) return;
      }
    };

    test("a long log begins with a snapshot; readers of then and of now know the same", async () => {
      const place = await makeNatsPlace(server.url);
      const engine = await open(place);
      await engine.submit(jobSpec({ key: "kept" }), jobTerms({ not_before: "2100-01-01T00:00:00Z" }), "kept");
      await engine.submit(jobSpec({ key: "held" }), jobTerms({ priority: 9 }), "held");
      const held = await claim(engine);
      const follower = await open(place);
      for (const round of ["a", "b", "c"]) await runUntilCut(engine, place, round);
      const { first_seq, last_seq } = await readLog(place);
      expect(last_seq - first_seq).toBeLessThan(2 * RECORDS_MAX);
      const expected = await list(engine);
      expect(expected.slice(0, 2)).toEqual(["kept waiting 0", "held running 1"]);
      expect(await list(follower)).toEqual(expected);
      const reader = await open(place);
      expect(await list(reader)).toEqual(expected);
      // A claim from before all snapshots goes on, and its lines and attachments are there.
      expect(await held?.append(["line"])).toBe("recorded");
      expect(await held?.attach("notes", toBytes("text"))).toMatchObject({ bytes: 4 });
      expect(await held?.finish(jobResult())).toBe("recorded");
      expect((await reader.find("held"))?.phase).toBe("done");
      const { snapshots } = namesOf(place);
      const store = await new Objm(connection).open(snapshots);
      await waitUntil(
        async () => (await store.list()).map(({ name }) => name),
        (names) => names.length === 1,
      );
    });

    test("a worker that was stopped meanwhile goes on behind the newest snapshot with its claim", async () => {
      const place = await makeNatsPlace(server.url);
      const engine = await open(place);
      await engine.submit(jobSpec({ key: "held" }), jobTerms(), "held");
      const worker = children.start(place, "stopped");
      expect(await worker.ask({ do: "claim", leaseMs: 600_000 })).toMatchObject({ attempt: 1 });
      worker.kill("SIGSTOP");
      for (const round of ["a", "b"]) await runUntilCut(engine, place, round);
      await engine.ask("held", "cancel");
      worker.kill("SIGCONT");
      // It hears what was asked for, although the records before were removed.
      expect(await worker.ask({ do: "next-ask" })).toBe("cancel");
      expect(await worker.ask({ do: "append", lines: ["late"] })).toBe("recorded");
      expect(await worker.ask({ do: "finish" })).toBe("recorded");
      expect((await list(engine))[0]).toBe("held done 1");
    });

    test("what is forgotten leaves nothing: no object, no part of one, no line, no marker", async () => {
      const place = await makeNatsPlace(server.url);
      const clock = { aheadMs: 0 };
      const engine = await open(place, { recordsMax: 5 * ENDED_MAX, readClockMs: () => Date.now() + clock.aheadMs });
      const { objects, events } = namesOf(place);
      const stray = jetstream(connection);
      await stray.publish(`$O.${objects}.C.STRAY`, "a part whose writer was killed");
      await (await new Objm(connection).open(objects)).putBlob({ name: "nobody-1/spec" }, Buffer.from("{}"));
      await engine.submit(jobSpec({ key: "first" }), jobTerms(), "first");
      const held = await claim(engine);
      await held?.append(["line"]);
      await held?.attach("notes", toBytes("text"));
      await held?.finish(jobResult());
      const { streams } = await jetstreamManager(connection);
      const count = async (): Promise<number> => (await streams.info(`OBJ_${objects}`)).state.messages;
      expect((await streams.info(events)).state.messages).toBe(1);
      for (let number = 0; number < ENDED_MAX; number += 1)
        await engine.submit(jobSpec({ key: `${number}` }), jobTerms(), `job-${number}`);
      const full = await count();
      for (let number = 0; number < ENDED_MAX; number += 1) await engine.ask(`job-${number}`, "cancel");
      const busy = await open(place, { recordsMax: 1, readClockMs: () => Date.now() + 2 * DAY_MS });
      await busy.hold(true);
      await waitUntil(
        async () => (await readLog(place)).first_seq,
        (at) => at > 1,
      );
      expect(await claim(busy)).toBeNull();
      expect(await busy.find("first")).toBeNull();
      expect((await streams.info(events)).state.messages).toBe(0);
      // Its specification is two messages, its attachment three; the part and the object of nobody three.
      expect(full - (await count())).toBe(8);
    }, 120_000);

    test("messages that are no records have no effect, and everybody goes on", async () => {
      const place = await makeNatsPlace(server.url);
      const engine = await open(place);
      await engine.submit(jobSpec(), jobTerms(), "real");
      const { log, logSubject } = namesOf(place);
      const { streams } = await jetstreamManager(connection);
      const text = (await streams.getMessage(log, { seq: 1 }))?.string() ?? "";
      const forged = [
        "nonsense",
        "{}",
        '{"v":1,"seq":2}',
        text,
        text.replace('"seq":1', '"seq":5'),
        text.replace('"seq":1', '"seq":7').replace('"job":"real"', '"job":"../../../etc"'),
        '{"v":1,"seq":8,"at":"2026-01-01T00:00:00.000Z","by":"x","event":{"kind":"submitted","job":{}},"sum":"0000000000000000"}',
      ];
      for (const message of forged) await jetstream(connection).publish(logSubject, message);
      const reader = await open(place);
      for (const one of [engine, reader]) expect(await list(one)).toEqual(["real waiting 0"]);
      await reader.submit(jobSpec(), jobTerms(), "next");
      expect(await list(engine)).toEqual(["real waiting 0", "next waiting 0"]);
      expect(await (await claim(engine))?.finish(jobResult())).toBe("recorded");
      expect(await list(await open(place))).toEqual(["real done 1", "next waiting 0"]);
    });

    test("a snapshot that is gone or altered is named, and nothing is decided", async () => {
      const place = await makeNatsPlace(server.url);
      const engine = await open(place);
      await runUntilCut(engine, place, "a");
      await engine.close();
      const store = await new Objm(connection).open(namesOf(place).snapshots);
      const [info] = await store.list();
      const text = Buffer.from((await store.getBlob(info?.name ?? "")) ?? []).toString("utf8");
      for (const altered of [text.replaceAll('"id":"a-0"', '"id":"../a"'), text.replace('"sum":"', '"sum":"0'), "{}"]) {
        expect(altered).not.toBe(text);
        await store.putBlob({ name: info?.name ?? "" }, Buffer.from(altered));
        await expect(open(place)).rejects.toMatchObject({
          kind: "damaged",
          message: expect.stringContaining("rebuild"),
        });
      }
      await store.delete(info?.name ?? "");
      await expect(open(place)).rejects.toMatchObject({ kind: "damaged" });
    });
  });
});
