/** The repository's own filters and hooks: when they run, and what becomes of one that never ends. */
import { existsSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { living } from "../crash/running.ts";
import type { Scenario } from "../support/scenario.ts";
import { GOOD_EDIT } from "../support/scenario-documents.ts";
import type { World } from "../support/scenario-world.ts";

const DATA = "src/data.dat";
const LONG_AGO = new Date("2001-01-01T00:00:00Z");
/** Begins a session of its own, leaves its pid in the home, and ignores every polite signal. */
const ENDLESS = `setsid sh -c 'trap "" INT TERM HUP; echo $$ > "$HOME/pid"; sleep 600'`;
const COMMIT = { git: { commit: "always", protected_branches: [] } } as const;

/** Git notes in its index that the file is as it was stored long ago, so that nothing makes it read the file again. */
function settle({ git, root }: World): void {
  utimesSync(join(root, DATA), LONG_AGO, LONG_AGO);
  git("update-index", "--refresh");
}

/** The file is what it was, but git cannot know that without reading it. */
const touch = ({ root }: World): void => utimesSync(join(root, DATA), new Date(), new Date());

const makeEndless = ({ git }: World): void => void git("config", "filter.store.clean", ENDLESS);

const hasRun = ({ box }: World): boolean => existsSync(join(box, "home/pid"));

/** It was started, and nothing of it is left. */
function expectEnded(world: World): void {
  expect(hasRun(world)).toBe(true);
  expect(living([Number(readFileSync(join(world.box, "home/pid"), "utf8"))])).toEqual([]);
}

const LATE = { code: "STOP_TICK_TIMEOUT", cause: "tick_timeout", after: expectEnded } as const;

export const FILTERS: readonly Scenario[] = [
  {
    shows: "a clean checkout is found clean without its filters",
    kind: "filter",
    before: (world) => {
      settle(world);
      makeEndless(world);
    },
    ends: {
      code: "SUCCESS",
      changed: ["src/main.ts"],
      after: (world) => expect(hasRun(world)).toBe(false),
    },
  },
  {
    shows: "a file that only its filter can tell unchanged is found unchanged",
    kind: "filter",
    before: touch,
    ends: { code: "SUCCESS", changed: ["src/main.ts"] },
  },
  {
    shows: "a file that its filter tells changed is not committed",
    kind: "filter",
    before: ({ put }) => put({ [DATA]: "plain: mine\n" }),
    ends: { code: "BLOCKED_DIRTY_WORKTREE", message: /^Not committed: src\/data\.dat\.$/ },
  },
  {
    shows: "no filter is asked where another file is not committed anyway",
    kind: "filter",
    before: (world) => {
      touch(world);
      makeEndless(world);
      world.put({ "notes.txt": "mine\n" });
    },
    ends: {
      code: "BLOCKED_DIRTY_WORKTREE",
      message: /^Not committed: notes\.txt\.$/,
      after: (world) => expect(hasRun(world)).toBe(false),
    },
  },
  {
    shows: "the deadline of the tick ends a filter that a look before it waits for",
    kind: "filter",
    config: { runner: { max_tick_seconds: 8 } },
    before: (world) => {
      touch(world);
      makeEndless(world);
    },
    ends: { ...LATE, report: { settle: null, task: null } },
  },
  {
    shows: "the deadline of the tick ends a filter that a commit waits for, and everything is put back",
    kind: "filter",
    config: { ...COMMIT, runner: { max_tick_seconds: 15 } },
    steps: [GOOD_EDIT, { do: "write", path: DATA, text: "plain: two\n" }],
    before: (world) => {
      settle(world);
      makeEndless(world);
    },
    ends: { ...LATE, report: { settle: { action: "rollback" }, pointers: { salvage: expect.any(String) } } },
  },
  {
    shows: "the deadline of the tick ends a hook that a commit waits for, and everything is put back",
    config: { git: { commit: "always", hooks: "run" }, runner: { max_tick_seconds: 15 } },
    before: ({ put }) => put({ ".git/hooks/pre-commit": `#!/bin/sh\n${ENDLESS}\n` }),
    ends: { ...LATE, report: { settle: { action: "rollback" } } },
  },
];
