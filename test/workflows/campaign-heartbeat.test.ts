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
import * as v from "valibot";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Config } from "../../src/config/config.ts";
import type { JournalLine, TickEvent } from "../../src/records/event.ts";
import type { LiveEvent } from "../../src/records/live-event.ts";
import { foldLiveCampaign, NO_LIVE_CAMPAIGN, findSilenceNotice } from "../../src/workflows/pure/live-session.ts";
import { openHeartbeat, readHeartbeat } from "../../src/workflows/heartbeat.ts";
import { watchPanes } from "../../src/workflows/start-tmux.ts";
import { followSessions } from "../../src/history/watch-run.ts";

let box = "";
beforeEach(() => (box = mkdtempSync(join(tmpdir(), "relais-showing-"))));
afterEach(() => rmSync(box, { recursive: true, force: true }));

const config = v.parse(Config, {
  campaign: {
    poll_interval_seconds: 0.25,
    heartbeat_stale_seconds: 10,
    idle_nudge_seconds: 5,
    max_nudges: 2,
  },
});

const PATIENCE = { timeout: 20_000 };

const read = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

const RUN_ID = "20260101T000000Z-00000000";
const AT = "2026-01-01T00:00:00.000Z";
const START_MS = Date.parse(AT);
const line = (event: TickEvent): JournalLine => ({
  version: 1,
  seq: 1,
  at: AT,
  run_id: RUN_ID,
  series_id: RUN_ID,
  prev: null,
  event,
});
const recorded = (event: TickEvent): LiveEvent => ({ kind: "recorded", line: line(event) });
const started = (workflow: "campaign" | "relay"): TickEvent => ({
  type: "tick_started",
  workflow,
  relais_version: "1",
  config_sha256: null,
  worktree: "/repo",
  git_prefix: "",
  on_success: "commit",
  max_tick_seconds: 1,
});
const BUILDING: TickEvent = { type: "build_started", driver: "command", sandbox: "none", dispatch: "d" };
const BUILT: TickEvent = {
  type: "build_ended",
  failure: null,
  builder_output_valid: true,
  summary: null,
  duration_ms: 1,
  usage: null,
};
const REVIEWING: TickEvent = { type: "review_started", driver: "command", sessions: [] };
const said = (seconds: number): LiveEvent => ({
  kind: "agent",
  atMs: START_MS + seconds * 1000,
  speaker: "builder",
  event: { type: "text", text: "hm" },
});

test("a session that says nothing gets its notices, each once, and a sign of life starts anew", () => {
  let live = [recorded(started("campaign")), recorded(BUILDING)].reduce(foldLiveCampaign, NO_LIVE_CAMPAIGN);
  const noticeAt = (seconds: number): string | null => {
    const { session } = live;
    const notice = session && findSilenceNotice(session, START_MS + seconds * 1000, config.campaign);
    if (session === null || notice === null) return null;
    live = { ...live, session: { ...session, notices: notice.notice } };
    return `${notice.role} ${notice.seconds} s, ${notice.notice} of ${notice.of}`;
  };
  expect([9, 10, 11, 15, 60].map(noticeAt)).toEqual([null, "worker 10 s, 1 of 2", null, "worker 15 s, 2 of 2", null]);
  live = foldLiveCampaign(live, said(61));
  expect([70, 71].map(noticeAt)).toEqual([null, "worker 10 s, 1 of 2"]);
  live = foldLiveCampaign(live, recorded(BUILT));
  expect([live.session, noticeAt(600)]).toEqual([null, null]);
  live = foldLiveCampaign(live, recorded(REVIEWING));
  expect(live.session?.role).toBe("verifier");
});

test("what is not a campaign has no such notices", () => {
  const live = [recorded(started("relay")), recorded(BUILDING)].reduce(foldLiveCampaign, NO_LIVE_CAMPAIGN);
  expect(live.session).toBeNull();
});

test("the heartbeat is there from the first event to the end, and names the session that runs", async () => {
  const heartbeat = openHeartbeat(join(box, "c"), config);
  // What is recorded before, as by a recovery, is no leader yet.
  heartbeat.emit(recorded(BUILT));
  expect(readHeartbeat(join(box, "c"))).toBeNull();
  heartbeat.emit({ kind: "opened", seriesId: RUN_ID, lines: [] });
  expect(readHeartbeat(join(box, "c"))).toMatchObject({ pid: process.pid, session: null });
  for (const event of [recorded(started("campaign")), recorded(BUILDING)]) heartbeat.emit(event);
  expect(readHeartbeat(join(box, "c"))?.session).toEqual({ role: "worker", ts: AT });
  heartbeat.emit(said(3));
  // The next beat of the leader tells of it.
  await expect.poll(() => readHeartbeat(join(box, "c"))?.session?.ts, PATIENCE).toBe("2026-01-01T00:00:03.000Z");
  heartbeat.emit(recorded(BUILT));
  expect(readHeartbeat(join(box, "c"))?.session).toBeNull();
  heartbeat.close();
  expect(readHeartbeat(join(box, "c"))).toBeNull();
});

test("a heartbeat that cannot be written harms nobody", () => {
  const heartbeat = openHeartbeat(join(box, "c"), config);
  mkdirSync(join(box, "c/heartbeat.json/in-the-way"), { recursive: true });
  expect(() => heartbeat.emit({ kind: "opened", seriesId: RUN_ID, lines: [] })).not.toThrow();
});

test("a transcript is followed in whole lines, and to its end when the next tick begins", () => {
  const told: string[] = [];
  const sessions = followSessions(box, (event) => {
    if (event.kind === "agent" && event.event.type === "output") told.push(`${event.speaker}: ${event.event.text}`);
  });
  const folder = join(box, "runs", RUN_ID);
  mkdirSync(folder, { recursive: true });
  for (const event of [started("campaign"), BUILDING]) sessions.take(line(event));
  writeFileSync(join(folder, "builder.log"), "first words\nhalf a");
  sessions.look();
  expect(told).toEqual(["builder: first words"]);
  appendFileSync(join(folder, "builder.log"), " line\nlast words\n");
  sessions.take(line(started("campaign")));
  expect(told).toEqual(["builder: first words", "builder: half a line", "builder: last words"]);
});

test("a tmux that refuses keeps nobody from looking after the panes again", async () => {
  const asked = join(box, "asked");
  writeFileSync(
    join(box, "tmux"),
    `#!/bin/sh\necho "$1" >>'${asked}'\n[ "$1" != list-panes ] || echo '%1 1'\n[ "$1" = list-panes ]\n`,
  );
  chmodSync(join(box, "tmux"), 0o755);
  const end = await watchPanes({
    cwd: box,
    environment: { PATH: `${box}:/usr/bin:/bin` },
    config,
    stage: { session_name: "relais-demo", panes: { leader: "%1", worker: "%2", verifier: "%3" } },
  });
  await expect.poll(() => read(asked), PATIENCE).toMatch(/respawn-pane\nselect-pane\n[^]*list-panes\n/);
  end();
});
