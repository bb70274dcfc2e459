import { describe, expect, test } from "vitest";
import type { JobLine } from "../../src/queue/pure/engine.ts";
import { toBytes } from "./child-command.ts";
import type { OpenWorld } from "./describe-engine.ts";
import type { EngineWorld } from "./engine-world.ts";
import { jobResult } from "./jobs.ts";

interface FollowWish {
  readonly job?: string;
  readonly count: number;
  readonly from?: string;
}

async function follow({ engine }: EngineWorld, { job, count, from = "" }: FollowWish): Promise<JobLine[]> {
  const stop = new AbortController();
  const lines: JobLine[] = [];
  for await (const line of engine.follow(job ?? null, from, stop.signal)) {
    lines.push(line);
    if (lines.length === count) stop.abort();
  }
  return lines;
}

export function describeLines(open: OpenWorld): void {
  describe("lines and attachments", () => {
    test("lines of all jobs come in their order, from a cursor on", async () => {
      const world = await open();
      const { submit, claimOne } = world;
      await submit({ key: "a" }, {}, "a");
      await submit({ key: "b" }, {}, "b");
      const [a, b] = [await claimOne(), await claimOne()];
      await a.append(["a1", "a2"]);
      await b.append(["b1"]);
      await a.append(["a3", "ä4"]);
      const all = await follow(world, { count: 5 });
      expect(all.map(({ job, attempt, text }) => `${job} ${attempt} ${text}`)).toEqual([
        "a 1 a1",
        "a 1 a2",
        "b 1 b1",
        "a 1 a3",
        "a 1 ä4",
      ]);
      for (const [index, { cursor }] of all.slice(0, -1).entries())
        expect(await follow(world, { count: 4 - index, from: cursor })).toEqual(all.slice(index + 1));
      expect((await follow(world, { job: "b", count: 1 })).map(({ text }) => text)).toEqual(["b1"]);
    });

    test("new lines come while somebody follows, also of the next attempt", async () => {
      const world = await open();
      const { submit, claimOne } = world;
      const job = await submit();
      const first = await claimOne();
      const following = follow(world, { job, count: 3 });
      await first.append(["one"]);
      await first.append(["two"]);
      await first.release("again", null);
      expect(await first.append(["late"])).toBe("fenced");
      await (await claimOne()).append(["three"]);
      expect((await following).map(({ attempt, text }) => `${attempt} ${text}`)).toEqual(["1 one", "1 two", "2 three"]);
    });

    test("followed to its end, a job shows its last line, whether it is over before or meanwhile", async () => {
      const world = await open();
      const { submit, claimOne, engine } = world;
      const job = await submit();
      const toEnd = async (): Promise<string[]> => {
        const texts: string[] = [];
        for await (const { text } of engine.followToEnd(job, new AbortController().signal)) texts.push(text);
        return texts;
      };
      const held = await claimOne();
      const meanwhile = toEnd();
      await held.append(["one", "two"]);
      await held.append(["last"]);
      await held.finish(jobResult());
      expect(await meanwhile).toEqual(["one", "two", "last"]);
      expect(await toEnd()).toEqual(["one", "two", "last"]);
      const silent = await submit({ key: "silent" });
      await (await claimOne()).finish(jobResult());
      for await (const line of engine.followToEnd(silent, new AbortController().signal)) expect.fail(line.text);
    });

    test("attachments come back as they were", async () => {
      const { submit, claimOne, engine } = await open();
      const job = await submit();
      const held = await claimOne();
      expect(await held.attach("report", toBytes("first"))).toMatchObject({ name: "report", bytes: 5, attempt: 1 });
      const attachment = await held.attach("report", toBytes("second, longer"));
      await held.finish(jobResult());
      expect((await engine.find(job))?.attachments).toEqual([attachment]);
      const parts: Uint8Array[] = [];
      for await (const part of (await engine.readAttachment(job, 1, "report")) ?? []) parts.push(part);
      expect(Buffer.concat(parts).toString("utf8")).toBe("second, longer");
      expect(await engine.readAttachment(job, 2, "report")).toBeNull();
      expect(await engine.readAttachment("nobody", 1, "report")).toBeNull();
    });
  });
}
