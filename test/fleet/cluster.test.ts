/** Three servers by the commands that a person types, each with a folder of its own as on its own machine. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, expect, test } from "vitest";
import { Fleet, Invitation } from "../../src/queue/pure/fleet.ts";
import { checkQueue } from "../../src/setup/doctor.ts";
import { joinFleet } from "../../src/fleet/join-fleet.ts";
import { openFleet } from "../../src/fleet/open-fleet.ts";
import { readFleetKeys } from "../../src/fleet/fleet-file.ts";
import { type ReadyServer, serveFleet } from "../../src/fleet/serve-fleet.ts";
import { findUserSettings } from "../../src/journal/known-jobs.ts";
import { waitUntil } from "../queue/engine-world.ts";
import { jobSpec, jobTerms } from "../queue/jobs.ts";
import { findFreePort } from "./nats-server.ts";
import { hasServer } from "../support/fleet-server.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { tickRepository } from "../support/tick-repository.ts";

const REPO = "https://git.example.com/team/app";

interface Serving {
  readonly ready: () => ReadyServer | null;
  readonly papers: readonly string[];
  readonly stop: () => Promise<unknown>;
}

const running: Serving[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ stop }) => stop()));
});

type Wish = Partial<Pick<Parameters<typeof serveFleet>[0], "host" | "port" | "others" | "paper">>;

function serve(folder: string, wish: Wish): Serving {
  const over = new AbortController();
  let ready: ReadyServer | null = null;
  const papers: string[] = [];
  const ended = serveFleet({
    folder,
    host: null,
    port: null,
    others: [],
    paper: null,
    ...wish,
    environment: { ...process.env },
    signal: over.signal,
    onReady: (server) => (ready = server),
    onPapers: (files) => void papers.push(...files),
    onTrouble: () => {},
  });
  const serving = {
    ready: () => ready,
    papers,
    stop: async () => {
      over.abort();
      return ended;
    },
  };
  running.push(serving);
  return serving;
}

/** Two free ports, the second one 2000 above the first. */
async function findPorts(): Promise<number> {
  for (;;) {
    const port = await findFreePort();
    if (port < 60_000) return port;
  }
}

test.skipIf(!hasServer)(
  "three servers keep everything three times, and an invitation on the first reaches the others, also later",
  async () => {
    const box = scratchFolder();
    const [one, two, three] = [join(box, "one"), join(box, "two"), join(box, "three")];
    const [port, ...otherPorts] = [await findPorts(), await findPorts(), await findPorts()];
    const others = otherPorts.map((other) => ({ host: "localhost", port: other }));
    const first = serve(one, { host: "localhost", port, others });
    await waitUntil(
      () => first.papers.length,
      (count) => count === 2,
    );
    expect(readFileSync(String(first.papers[0]), "utf8").match(/SU[A-Z2-7]{56}/g)).toHaveLength(1); // Its own key alone.
    const second = serve(two, { paper: String(first.papers[0]) });
    const third = serve(three, { paper: String(first.papers[1]) });
    await waitUntil(
      () => [first, second, third].every(({ ready }) => ready() !== null),
      (is) => is,
    );
    expect(first.ready()).toMatchObject({ durable: "replicated", repositories: 0 });

    const { relais } = tickRepository();
    const invite = async (name: string): Promise<Invitation> => {
      const file = join(box, `${name}.json`);
      const typed = ["queue", "invite", name, "--repo", REPO, "--dir", one, "--out", file];
      expect(await relais(...typed)).toMatchObject({ status: 0 });
      return v.parse(Invitation, JSON.parse(readFileSync(file, "utf8")));
    };
    expect(await relais("queue", "invite", "x", "--repo", REPO, "--dir", two)).toMatchObject({
      status: 10,
      stderr: expect.stringContaining("on the first server"),
    });
    const ben = await invite("ben");
    expect(ben.url.split(",")).toHaveLength(3);
    await waitUntil(
      () => first.ready()?.repositories,
      (count) => count === 1,
    );
    const environment = { HOME: join(box, "ben") };
    expect(await joinFleet(join(box, "ben.json"), environment)).toMatchObject({ kind: "joined" });
    expect(await checkQueue(environment)).toMatchObject([
      { status: "ok", message: expect.stringMatching(/copies of each: 3$/) },
    ]);

    // One is gone: everything goes on, and it learns afterwards what happened.
    await third.stop();
    const settings = await findUserSettings(environment);
    if (settings?.queue === undefined) throw new Error("no queue");
    const { queue } = settings;
    // The others choose a new leader for what the lost one led.
    const opened = await waitUntil(
      () => openFleet(queue, join(box, "known")).catch(() => null),
      (fleet) => fleet !== null,
    );
    if (opened === null) throw new Error("no fleet");
    const { engine } = opened;
    expect(engine.facts.durable).toBe("replicated");
    const spec = jobSpec({ repository: { kind: "url", url: REPO }, arguments: ["--", "x"], command: "run" });
    const submitted = await waitUntil(
      () => engine.submit(spec, jobTerms(), "during").catch(() => null),
      (job) => job !== null,
    );
    expect(submitted).toBe("during");
    await invite("cleo");
    const again = serve(three, {});
    await waitUntil(
      () => v.parse(Fleet, JSON.parse(readFileSync(join(three, "fleet.json"), "utf8"))).accounts[1]?.members.length,
      (count) => count === 2,
    );
    await waitUntil(again.ready, (ready) => ready !== null);
    await first.stop();
    expect(
      await waitUntil(
        () => engine.find("during").catch(() => null),
        (view) => view !== null,
      ),
    ).toMatchObject({ phase: "waiting" });
    expect((await readFleetKeys(queue)).url).toBe(ben.url);
    await engine.close();
  },
  120_000,
);

test("a queue of one server does not become one of three, and mistakes are named", async () => {
  const { relais, box } = tickRepository();
  const folder = join(box, "server");
  const { makeAccount, writeFleet } = await import("../../src/fleet/fleet-file.ts");
  await writeFleet(folder, { version: 1, host: "localhost", port: 4222, accounts: [makeAccount(null)] });
  const mistakes: readonly (readonly [number, RegExp, ...string[]])[] = [
    [10, /has one server, and its data would not move/, "--dir", folder, "--with", "b.test", "--with", "c.test"],
    [2, /the other two of three/, "--dir", folder, "--with", "b.test"],
    [2, /the other two of three/, "--with", "b.test:x", "--with", "10.0.0.1"],
    [2, /leave out --host/, "--from", "x", "--host", "a.test"],
    [10, /There is no file/, "--dir", folder, "--from", join(box, "nowhere")],
  ];
  for (const [status, says, ...args] of mistakes)
    expect([args, await relais("queue", "serve", ...args)]).toEqual([
      args,
      { status, stdout: "", stderr: expect.stringMatching(says) },
    ]);
});
