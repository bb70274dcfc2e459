/** A session whose worker says nothing any more ends by itself, before a successor may begin. */
import { uptime } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Leash } from "../../src/records/session-process.ts";
import { locateJobPlace, prepareJobPlace } from "../../src/jobs/job-workspace.ts";
import { runChild } from "../../src/jobs/run-child.ts";
import { listMarked } from "../../lab/chaos/chaos-workers.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { executable } from "../support/relais.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { tickRepository } from "../support/tick-repository.ts";

const quiet = new AbortController().signal;
const JOB = "leashed";

/** Runs a tick whose builder sleeps for a minute. Answers with its end, and with the processes that are left. */
async function runLeashed(measure: (nowMs: number) => Leash, renewals: number) {
  const { box, root, git, task } = tickRepository({});
  const marker = join(scratchFolder(), "marked");
  const environment = { ...gitEnvironment(box), TMPDIR: process.env["TMPDIR"], RELAIS_CHAOS: marker };
  const place = locateJobPlace(join(scratchFolder(), JOB), JOB, environment);
  const base = { commit: git("rev-parse", "HEAD"), branch: "main" };
  const files = { "task.json": JSON.stringify(task([{ do: "sleep", ms: 60_000 }])) };
  const sources = { repository: { kind: "path", path: root }, base, config: null, files } as const;
  await prepareJobPlace(place, sources, { token: "1", signal: quiet });
  let count = 0;
  const end = await runChild({
    relais: [process.execPath, executable],
    args: ["run", `--task=${join(place.files, "task.json")}`, "--json"],
    place,
    name: "1",
    stop: quiet,
    onStarted: () => Promise.resolve(true),
    leash: (listener) => {
      const renew = (): void => {
        listener(measure(uptime() * 1000));
        count += 1;
        if (count <= renewals) setTimeout(renew, 300);
      };
      renew();
      return () => (count = Number.POSITIVE_INFINITY);
    },
  });
  return { end, count, left: listMarked(marker, place.folder) };
}

test("it is asked to end first: the change is reverted, and nothing is left", async () => {
  const { end, count, left } = await runLeashed((now) => ({ stopMs: now + 2000, endMs: now + 60_000 }), 3);
  expect(end).toMatchObject({ signal: null, document: { code: "STOP_INTERRUPTED" } });
  expect(count).toBeGreaterThan(3); // Each new leash replaced the one before.
  expect(left).toEqual([]);
});

test("then everything of it is killed", async () => {
  const { end, left } = await runLeashed((now) => ({ stopMs: now + 60_000, endMs: now + 2000 }), 0);
  expect(end).toMatchObject({ signal: "SIGKILL" });
  expect(left).toEqual([]);
});
