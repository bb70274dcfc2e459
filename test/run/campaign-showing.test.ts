/** What shows a campaign while it runs, and what becomes of it where something is only half there or fails. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Config } from "../../src/contract/config/config.ts";
import { parseWith } from "../../src/contract/schema/schema-error.ts";
import { openLiveFeed } from "../../src/run/campaign/live-feed.ts";
import { watchPanes } from "../../src/run/campaign/watch-panes.ts";

let box = "";
beforeEach(() => (box = mkdtempSync(join(tmpdir(), "relais-showing-"))));
afterEach(() => rmSync(box, { recursive: true, force: true }));

const parsed = parseWith(Config, { campaign: { poll_interval_seconds: 0.25 } });
if (parsed.kind === "invalid") throw new Error("this is no configuration");
const config = parsed.value;

const PATIENCE = { timeout: 20_000 };

const read = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

test("a line of JSON that is written in two halves is not taken for words", async () => {
  const feed = openLiveFeed({ stateDirectory: box, settings: { slug: "demo" }, config, pid: process.pid });
  const run = join(box, "runs", "99991231T235959Z-00000000");
  const log = join(run, "builder.log");
  const shown = (): string => read(join(box, "campaigns", "demo", "live.jsonl"));
  mkdirSync(run, { recursive: true });
  feed.begin();
  writeFileSync(log, 'first words\n{"half":');
  await expect.poll(shown, PATIENCE).toContain("first words");
  appendFileSync(log, '"a line"}\nlast words\nunfinished');
  await feed.close();
  const texts = shown()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).text);
  expect(texts).toEqual(["first words", "last words", "unfinished"]);
});

test("whoever tells the feed something does not fail with it", () => {
  const feed = openLiveFeed({ stateDirectory: box, settings: { slug: "demo" }, config, pid: process.pid });
  for (const name of ["live.jsonl", "worker-heartbeat.json/in-the-way"])
    mkdirSync(join(box, "campaigns", "demo", name), { recursive: true });
  expect(() => {
    feed.begun("worker");
    feed.line("worker", "nobody reads this");
    feed.sign("worker");
  }).not.toThrow();
});

const fullDisk = (): never => {
  throw new Error("no space left on device");
};

test("a feed that cannot be written keeps nobody from looking after the panes", async () => {
  const asked = join(box, "asked");
  writeFileSync(
    join(box, "tmux"),
    `#!/bin/sh\necho "$1" >>'${asked}'\n[ "$1" != list-panes ] || echo '%1 1'\n`,
  );
  chmodSync(join(box, "tmux"), 0o755);
  const panes = { leader: "%1", worker: "%2", verifier: "%3" };
  const watch = await watchPanes({
    cwd: box,
    environment: { PATH: `${box}:/usr/bin:/bin` },
    config,
    stage: { session_name: "relais-demo", panes },
    feed: { line: fullDisk },
  });
  watch?.begin();
  await expect.poll(() => read(asked), PATIENCE).toMatch(/respawn-pane\n[^]*list-panes\n/);
  watch?.end();
});
