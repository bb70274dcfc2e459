/** `relais ui` without a browser: what it sends, what it does, and when it ends. */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { lengthenHistory } from "../../lab/bench/long-history.ts";
import { executable } from "../support/relais.ts";
import { inWorld } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";
import type { RepositoryPage, StreamLine } from "../../src/page/pure/repository-documents.ts";
import type { World } from "../support/scenario-world.ts";
import { readStream, startUi, type UiServer, withUi } from "../support/ui-server.ts";

const EDIT = `echo 'export const answer = 42;' > src/main.ts\n${LEAVE_RESULT}`;
const runTick = (world: World) => world.relais(["run", "--task", join(world.box, "task.json")]);

function only<T>(list: readonly T[]): T {
  const [first] = list;
  if (first === undefined) throw new Error("the list is empty");
  return first;
}

interface Known {
  readonly repository: string;
  readonly run: string;
  readonly page: RepositoryPage;
}

async function readKnown(ui: UiServer): Promise<Known> {
  const lines = await readStream(ui);
  const ticks = only(lines.flatMap((line) => (line.kind === "ticks" ? [line] : [])));
  const { page } = only(lines.flatMap((line) => (line.kind === "now" ? [line] : [])).toReversed());
  return { repository: ticks.repository, run: only(ticks.rows).runId, page };
}

const listRunIds = (lines: readonly StreamLine[]): readonly string[] =>
  lines.flatMap((line) => (line.kind === "ticks" ? line.rows.map(({ runId }) => runId) : []));

/** The only repository, as soon as it is known. */
async function readNewest(ui: UiServer): Promise<Pick<Known, "repository" | "page">> {
  for (;;) {
    const now = (await readStream(ui)).flatMap((line) => (line.kind === "now" ? [line] : [])).at(-1);
    if (now !== undefined) return now;
    await delay(100);
  }
}

/** The parts of `relais status --json` that are compared. */
interface StatusDocument {
  readonly branch: string;
  readonly last_tick: { readonly run_id: string };
  readonly accepted: { readonly run_id: string };
  readonly waiting: readonly { readonly kind: string; readonly what: string; readonly command: string }[];
  readonly budgets: { readonly used: Readonly<Record<string, number>> };
}

const act = async (ui: UiServer, wish: object) => {
  const headers = { "Content-Type": "application/json" };
  const answer = await ui.askAsOwner({ path: "/api/act", method: "POST", headers, body: JSON.stringify(wish) });
  return { status: answer.status, ...JSON.parse(answer.body) };
};

test("the page has the numbers of `relais status --json`, and the documents of a tick", async () => {
  await inWorld({ program: EDIT }, async (world) => {
    await runTick(world);
    const status: StatusDocument = JSON.parse((await world.relais(["status", "--json"])).stdout);
    await withUi(world, [], async (ui) => {
      const { repository, run, page } = await readKnown(ui);
      expect(run).toBe(status.last_tick.run_id);
      expect(page).toMatchObject({ branch: status.branch, running: null, acceptable: status.accepted.run_id });
      expect(page.inbox).toMatchObject(status.waiting);
      const { ticks, orchestrator_calls, builder_calls, verify_runs, reviewer_calls } = status.budgets.used;
      const used = [ticks, orchestrator_calls, builder_calls, verify_runs, reviewer_calls];
      expect(page.money.budgets.map((budget) => budget.used)).toEqual(used);
      for (const kind of ["run", "diff", "transcript"]) {
        const answer = await ui.askAsOwner({ path: `/api/${kind}?repository=${repository}&id=${run}` });
        expect([answer.status, JSON.parse(answer.body).kind]).toEqual([200, kind]);
      }
      const series = await ui.askAsOwner({ path: `/api/series?repository=${repository}&id=${run}` });
      expect([series.status, JSON.parse(series.body).runIds]).toEqual([200, [run]]);
    });
  });
});

test("a decision names its tick: another one changes nothing, the right one is done", async () => {
  await inWorld({ program: EDIT }, async (world) => {
    await runTick(world);
    await withUi(world, [], async (ui) => {
      const { repository, run } = await readKnown(ui);
      const other = "20260101T000000Z-00000000";
      for (const action of ["undo", "answer", "apply", "pause", "stop", "reject", "accept"]) {
        const done = await act(ui, { repository, action, run: other, text: "x" });
        expect([action, done.isDone]).toEqual([action, false]);
      }
      expect(readFileSync(join(world.root, "src/main.ts"), "utf8")).toContain("42");
      const accepted = await act(ui, { repository, action: "accept", run, text: null });
      expect(accepted).toMatchObject({ status: 200, isDone: true });
      expect(world.git("log", "--oneline", "-1")).not.toBe("");
      expect(world.git("status", "--porcelain", "--", "src")).toBe("");
      const undone = await act(ui, { repository, action: "undo", run, text: null });
      expect(undone).toMatchObject({ isDone: true });
      expect(readFileSync(join(world.root, "src/main.ts"), "utf8")).not.toContain("42");
    });
  });
});

test("a decision that is sent twice is done once; one about what is decided already changes nothing", async () => {
  await inWorld({ program: EDIT }, async (world) => {
    await runTick(world);
    await withUi(world, [], async (ui) => {
      const { repository, run } = await readKnown(ui);
      const commits = (): number => Number(world.git("rev-list", "--count", "HEAD"));
      const before = commits();
      const accept = { repository, action: "accept", run, text: null };
      const both = await Promise.all([act(ui, accept), act(ui, accept)]);
      expect(both.filter(({ isDone }) => isDone)).toHaveLength(1);
      expect(commits()).toBe(before + 1);
      expect(await act(ui, accept)).toMatchObject({ status: 200, isDone: false });
      // Somebody else decides by the command, while the page still shows the button.
      await world.relais(["undo"]);
      const undo = await act(ui, { repository, action: "undo", run, text: null });
      expect(undo).toMatchObject({ status: 200, isDone: false });
      expect(undo.text).not.toBe("");
      expect(commits()).toBe(before);
      expect(readFileSync(join(world.root, "src/main.ts"), "utf8")).not.toContain("42");
    });
  });
});

test("a change that a person edited meanwhile is not accepted as what was judged", async () => {
  await inWorld({ program: EDIT }, async (world) => {
    await runTick(world);
    await withUi(world, [], async (ui) => {
      const { repository, run } = await readKnown(ui);
      const command = await world.relais(["status", "--json"]);
      writeFileSync(join(world.root, "src/main.ts"), "export const answer = 43;\n");
      const before = world.git("rev-parse", "HEAD");
      const refused = await act(ui, { repository, action: "accept", run, text: null });
      expect([command.status, refused.isDone]).toEqual([0, false]);
      expect(refused.text).toContain("src/main.ts");
      expect(world.git("rev-parse", "HEAD")).toBe(before);
      expect(readFileSync(join(world.root, "src/main.ts"), "utf8")).toBe("export const answer = 43;\n");
    });
  });
});

test("linked worktrees are one repository; each has its own change, decided where it is", async () => {
  await inWorld({ program: EDIT }, async (world) => {
    const linked = join(world.box, "linked");
    world.git("worktree", "add", "-q", "-b", "side", linked);
    await runTick(world);
    await world.relais(["run", "--task", join(world.box, "task.json"), "--cwd", linked]);
    await withUi(world, [], async (ui) => {
      const lines = await readStream(ui);
      expect(lines.findLast(({ kind }) => kind === "hello")).toMatchObject({ repositories: [{}] });
      const rows = lines.flatMap((line) => (line.kind === "ticks" ? line.rows : []));
      expect(new Set(rows.map(({ worktree }) => worktree))).toEqual(new Set([world.root, linked]));
      const { repository, page } = await readNewest(ui);
      expect(page.inbox.map(({ kind }) => kind)).toEqual(["change", "change"]);
      const run = rows.find(({ worktree }) => worktree === linked)?.runId;
      expect(await act(ui, { repository, action: "accept", run, text: null })).toMatchObject({ isDone: true });
      expect(world.git("log", "-1", "--format=%s", "side")).not.toBe(world.git("log", "-1", "--format=%s", "HEAD"));
      expect((await readNewest(ui)).page.inbox).toHaveLength(1);
    });
  });
});

test("a running tick is paused and stopped; its work is brought back", async () => {
  await inWorld({ program: `${EDIT}\nsleep 60` }, async (world) => {
    const { ended } = world.start(["run", "--task", join(world.box, "task.json")]);
    await withUi(world, [], async (ui) => {
      for (; !existsSync(join(world.state(), "journal.jsonl")); await delay(100));
      let known = await readNewest(ui);
      for (; known.page.running?.pid === undefined; known = await readNewest(ui)) await delay(200);
      const { repository } = known;
      const run = known.page.running.runId;
      await delay(1500);
      expect(await act(ui, { repository, action: "pause", run, text: null })).toMatchObject({ isDone: true });
      // A single tick ends by itself, so there is nothing to withdraw.
      expect(await act(ui, { repository, action: "resume", run, text: null })).toMatchObject({ isDone: false });
      expect(await act(ui, { repository, action: "stop", run, text: null })).toMatchObject({ isDone: true });
      await ended;
      for (known = await readNewest(ui); known.page.running !== null; known = await readNewest(ui)) await delay(200);
      expect(readFileSync(join(world.root, "src/main.ts"), "utf8")).not.toContain("42");
      expect(await act(ui, { repository, action: "apply", run, text: null })).toMatchObject({ isDone: true });
      expect(readFileSync(join(world.root, "src/main.ts"), "utf8")).toContain("42");
    });
  });
});

test("with --read-only nothing can be decided", async () => {
  await inWorld({ program: EDIT }, async (world) => {
    await runTick(world);
    await withUi(world, ["--read-only"], async (ui) => {
      const { repository, run } = await readKnown(ui);
      for (const action of ["answer", "drop", "accept", "reject", "undo", "apply", "pause", "resume", "stop"]) {
        const refused = { action, status: 403, isDone: false };
        expect({ action, ...(await act(ui, { repository, action, run, text: "x" })) }).toMatchObject(refused);
      }
    });
  });
});

test("it ends when nobody looks, and with the process that started it", async () => {
  await inWorld({}, async (world) => {
    const idle = await startUi(world, ["--idle", "1"]);
    expect((await idle.ended).status).toBe(0);
    // The shell lives until its input ends: a page that starts after its parent is gone has nobody to follow.
    const shell = spawn("sh", ["-c", '"$0" "$1" ui --no-open --json & cat', process.execPath, executable], {
      cwd: world.root,
      env: { ...world.environment },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const line = await new Promise<string>((resolve) => shell.stdout.once("data", (data) => resolve(String(data))));
    const { port }: { readonly port: number } = JSON.parse(line);
    expect(await isOpen(port)).toBe(true);
    shell.stdin.end();
    while (await isOpen(port)) await delay(100);
  });
});

function isOpen(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  );
}

test("a port that is taken is refused with the next step, and a free one is taken", async () => {
  await inWorld({}, async (world) => {
    let free = 0;
    await withUi(world, [], async ({ port }) => {
      const second = await world.start(["ui", "--no-open", "--port", String(port)]).ended;
      expect(second.status).toBe(10);
      expect(second.stderr).toContain("--port");
      free = port;
    });
    const chosen = await startUi(world, ["--port", String(free)]);
    expect([chosen.port, (await chosen.ask({ path: "/" })).status]).toEqual([free, 200]);
    chosen.stop();
    await chosen.ended;
  });
});

test("Ctrl-C ends it at once, also while a page reads", async () => {
  await inWorld({ program: EDIT }, async (world) => {
    await runTick(world);
    const ui = await startUi(world, ["--idle", "0"]);
    const answer = await fetch(`http://127.0.0.1:${ui.port}/api/stream`, {
      headers: { Authorization: `Bearer ${ui.token}` },
    });
    ui.stop();
    const { status, stderr } = await ui.ended;
    expect([status, stderr]).toEqual([130, ""]);
    await expect(answer.text()).rejects.toThrow(/terminated/);
    expect(await isOpen(ui.port)).toBe(false);
  });
});

test("the token is in no list of processes and in no file, and others may not read what the page reads", async () => {
  await inWorld({ program: EDIT }, async (world) => {
    await runTick(world);
    await withUi(world, [], async (ui) => {
      await readKnown(ui);
      const files = readdirSync(world.box, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
      const holding = files
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((path) => hasText(path, ui.token));
      expect([files.length > 10, holding]).toEqual([true, []]);
      const processes = existsSync("/proc") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
      expect(processes.filter((pid) => hasText(`/proc/${pid}/cmdline`, ui.token))).toEqual([]);
      expect(statSync(world.state()).mode & 0o077).toBe(0);
    });
  });
});

/** A process may be gone by now. */
function hasText(path: string, text: string): boolean {
  try {
    return readFileSync(path, "latin1").includes(text);
  } catch {
    return false;
  }
}

test("the newest ticks of a long journal are sent before all of it was read; a journal that was cut is read again", async () => {
  await inWorld({ program: EDIT, ownProcess: true }, async (world) => {
    await runTick(world);
    const journal = join(world.state(), "journal.jsonl");
    const short = readFileSync(journal);
    await lengthenHistory(world, { ticks: 1000, withFiles: false });
    await withUi(world, [], async (ui) => {
      const lines = await readStream(ui, (known) => new Set(listRunIds(known)).size === 1001);
      // Every number needs all lines, and only a part of the rows is sent before.
      const now = lines.findIndex(({ kind }) => kind === "now");
      expect(lines[now]).toMatchObject({ page: { ticks: 1001, money: { total: { ticks: 1001 } } } });
      expect(new Set(listRunIds(lines.slice(0, now))).size).toBeLessThanOrEqual(500);
      const sent = listRunIds(lines);
      expect(sent.length).toBeLessThan(1001 + 500);
      expect(JSON.stringify(lines).length / sent.length).toBeLessThan(1000);
      writeFileSync(join(world.root, "relais/ledger.jsonl"), short);
      writeFileSync(journal, short);
      for (let known = 1001; known > 1; await delay(200)) known = listRunIds(await readStream(ui)).length;
    });
  });
});

const isDamageNamed = (line: StreamLine): boolean =>
  line.kind === "now" && (line.page.trouble ?? "").includes("damaged");

test("a damaged line of a long journal is named, and the page stays", async () => {
  await inWorld({ program: EDIT, ownProcess: true }, async (world) => {
    await runTick(world);
    await lengthenHistory(world, { ticks: 600, withFiles: false });
    const journal = join(world.state(), "journal.jsonl");
    const lines = readFileSync(journal, "utf8").split("\n");
    const built = lines.findLastIndex((line) => line.includes('"build_ended"'));
    const damaged = lines.with(built, (lines[built] ?? "").replace('"build_ended"', '"build_ender"'));
    writeFileSync(journal, damaged.join("\n"));
    await withUi(world, [], async (ui) => {
      expect((await readStream(ui, (known) => known.some(isDamageNamed))).length).toBeGreaterThan(1);
      expect((await ui.ask({ path: "/" })).status).toBe(200);
    });
  });
});

test("a repository whose journal cannot be read says so, and the others are shown", async () => {
  await inWorld({ program: EDIT }, async (world) => {
    await runTick(world);
    appendFileSync(join(world.state(), "journal.jsonl"), '{"version":999,"sha256":"x"}\n');
    await withUi(world, [], async (ui) => {
      const now = (await readStream(ui)).flatMap((line) => (line.kind === "now" ? [line.page.trouble] : []));
      expect(now.join(" ")).toMatch(/journal/);
    });
  });
});
