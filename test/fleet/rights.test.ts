/** Real keys against a real server: what a member may not do, tried with the raw client. */
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import { Objm } from "@nats-io/obj";
import { connect, headers, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Invitation } from "../../src/queue/pure/fleet.ts";
import { nameFleet } from "../../src/queue/pure/server-config.ts";
import { connectFleet, makeRepositoryToken } from "../../src/fleet/fleet-file.ts";
import { connectMember, type FleetServer, hasServer, openFleetServer } from "../support/fleet-server.ts";

const OURS = "https://git.example.com/team/ours";
const THEIRS = "https://git.example.com/team/theirs";
const own = nameFleet(makeRepositoryToken(OURS));
const other = nameFleet(makeRepositoryToken(THEIRS));

/** With the answers of the server that a refused call waits for. */
const SHORT = { timeout: 700 };

const isKeptOut = async (one: Promise<NatsConnection>): Promise<boolean> =>
  one.then(
    async (connection) => connection.close().then(() => false),
    () => true,
  );

describe.skipIf(!hasServer)("members of a shared queue", () => {
  let server: FleetServer;
  const opened: NatsConnection[] = [];
  const people: Record<string, NatsConnection> = {};
  let invitation: Invitation;

  const open = async (one: Promise<NatsConnection>): Promise<NatsConnection> => {
    const connection = await one;
    opened.push(connection);
    return connection;
  };

  beforeAll(async () => {
    server = await openFleetServer();
    invitation = await server.invite("ours", "worker", OURS);
    const theirs = await server.invite("theirs", "worker", THEIRS);
    const submitter = await server.invite("asks", "submitter", OURS);
    people["ours"] = await open(connectMember(invitation));
    people["theirs"] = await open(connectMember(theirs));
    people["asks"] = await open(connectMember(submitter));
  }, 60_000);

  afterAll(async () => {
    for (const connection of opened) await connection.close();
    await server.stop();
  });

  const as = (name: string): NatsConnection => {
    const connection = people[name];
    if (connection === undefined) throw new Error(name);
    return connection;
  };

  /** Whether the server refuses a call, or it reaches nobody. Any other answer is one of a stream. */
  const isRefused = async (who: string, subject: string, body: unknown = ""): Promise<boolean> => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await as(who)
      .request(subject, text, SHORT)
      .catch(() => null);
    return answer === null || answer.string().includes('"error":{');
  };

  const countTheirs = async (): Promise<readonly number[]> => {
    const manager = await jetstreamManager(as("theirs"), { checkAPI: false });
    const streams = [other.log, other.events, `KV_${other.beats}`, `OBJ_${other.objects}`];
    return Promise.all(streams.map(async (name) => (await manager.streams.info(name)).state.messages));
  };

  test("a worker uses everything of its repository", async () => {
    for (const [who, names] of [
      ["ours", own],
      ["theirs", other],
    ] as const) {
      const stream = jetstream(as(who), { checkAPI: false });
      expect((await stream.publish(names.logSubject, "record")).seq).toBe(1);
      expect((await stream.publish(names.eventSubjects.replace(">", "job-1.1"), "line")).seq).toBe(1);
      const expected = headers();
      expected.set("Nats-Expected-Last-Subject-Sequence", "0");
      await expect(stream.publish(names.logSubject, "late", { headers: expected })).rejects.toThrow(
        /wrong last sequence/,
      );
      const beats = await new Kvm(stream).open(names.beats);
      await beats.put("worker-1", "1");
      expect((await beats.get("worker-1"))?.string()).toBe("1");
      const objects = await new Objm(stream).open(names.objects);
      await objects.putBlob({ name: "bundle" }, Buffer.alloc(300_000, 7));
      expect((await objects.getBlob("bundle"))?.length).toBe(300_000);
    }
  });

  const API = [
    "STREAM.INFO",
    "STREAM.MSG.GET",
    "DIRECT.GET",
    "STREAM.PURGE",
    "STREAM.DELETE",
    "STREAM.UPDATE",
    "CONSUMER.CREATE",
    "STREAM.MSG.DELETE",
  ];

  test("a worker can neither read, alter nor remove anything of another repository", async () => {
    const before = await countTheirs();
    expect(before).toEqual([1, 1, 1, 4]);
    for (const stream of [other.log, other.events, `KV_${other.beats}`, `OBJ_${other.objects}`])
      for (const call of API)
        expect([
          call,
          stream,
          await isRefused("ours", `$JS.API.${call}.${stream}`, {
            seq: 1,
            stream_name: stream,
            config: { name: stream, ack_policy: "none" },
          }),
        ]).toEqual([call, stream, true]);
    const writes = [
      other.logSubject,
      other.eventSubjects.replace(">", "job-1.1"),
      `$KV.${other.beats}.worker-1`,
      `$O.${other.objects}.M.YnVuZGxl`,
    ];
    for (const subject of writes) expect([subject, await isRefused("ours", subject, "evil")]).toEqual([subject, true]);
    expect(await countTheirs()).toEqual(before);
  }, 60_000);

  test("answers of the server cannot be sent into another repository", async () => {
    const before = await countTheirs();
    as("ours").publish(own.logSubject, "evil", { reply: other.logSubject });
    as("ours").publish(`$JS.API.STREAM.INFO.${own.log}`, "", { reply: other.logSubject });
    const config = { deliver_subject: other.logSubject, ack_policy: "none", deliver_policy: "all" };
    as("ours").publish(`$JS.API.CONSUMER.CREATE.${own.log}`, JSON.stringify({ stream_name: own.log, config }));
    await as("ours").flush();
    await as("theirs").flush();
    expect(await countTheirs()).toEqual(before);
  });

  test("nobody hears what another repository says", async () => {
    const heard: string[] = [];
    for (const subject of [">", "relais.>", "_INBOX.>", "$JS.EVENT.>", "$KV.>"])
      as("ours").subscribe(subject, {
        callback: (error, message) => void (error === null && heard.push(message.subject)),
      });
    await as("ours")
      .flush()
      .catch(() => null);
    await jetstream(as("theirs"), { checkAPI: false }).publish(other.logSubject, "secret");
    await as("theirs").flush();
    await as("ours").flush();
    expect(heard.filter((subject) => subject.includes(other.account.slice(2)))).toEqual([]);
  });

  test.each(["ours", "asks"])(
    "%s can neither make, change nor remove a stream of its own repository",
    async (who) => {
      const calls = [
        ["STREAM.CREATE.mine", { name: "mine", subjects: ["mine"] }],
        [`STREAM.UPDATE.${own.log}`, { name: own.log, subjects: ["x"] }],
        [`STREAM.DELETE.${own.log}`, ""],
        [`STREAM.MSG.DELETE.${own.log}`, { seq: 1 }],
        ["STREAM.LIST", ""],
        ["STREAM.NAMES", ""],
      ] as const;
      for (const [call, body] of calls)
        expect([call, await isRefused(who, `$JS.API.${call}`, body)]).toEqual([call, true]);
    },
    30_000,
  );

  test("a submitter appends to the log, and neither beats, writes lines nor empties anything", async () => {
    expect(await isRefused("asks", own.logSubject, "submitted")).toBe(false);
    expect(await isRefused("asks", `$KV.${own.beats}.worker-1`, "1")).toBe(true);
    expect(await isRefused("asks", own.eventSubjects.replace(">", "job-1.1"), "line")).toBe(true);
    expect(await isRefused("asks", `$JS.API.STREAM.PURGE.${own.log}`)).toBe(true);
  }, 30_000);

  test("without a key, with a key that was replaced, and with another authority nobody gets in", async () => {
    const { url, ca } = invitation;
    expect(await isKeptOut(connect({ servers: url, tls: { ca }, reconnect: false }))).toBe(true);
    expect(await isKeptOut(connectFleet({ ...invitation, ca: null, seed: invitation.team }, "x"))).toBe(true);
    await server.invite("ours", "worker", OURS);
    expect(await isKeptOut(connectMember(invitation))).toBe(true);
  }, 30_000);
});
