/** `settle: ask`: a change that passes everything waits for a person. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ASK, eventsOf, journalOf, requestsIn, untilAsked } from "../support/held-world.ts";
import { KEEPER, notifying, told } from "../support/notified.ts";
import { inTurn, inWorld } from "../support/scenario.ts";
import { GOOD_EDIT } from "../support/scenario-documents.ts";
import type { World } from "../support/scenario-world.ts";

const HELD = { steps: [GOOD_EDIT], config: ASK } as const;
const GOOD = "export const answer = 42;\n";
const OLD = "export const answer = 41;\n";

function putPatch({ box }: World): string {
  const file = join(box, "fix.patch");
  writeFileSync(file, `--- a/src/main.ts\n+++ b/src/main.ts\n@@ -1 +1 @@\n-${OLD}+${GOOD}`);
  return file;
}

describe.concurrent("a held change", () => {
  test("is kept when another terminal accepts it, and not before", () =>
    inTurn(() =>
      inWorld({ ...HELD, ownProcess: true }, async (world) => {
        const running = world.run();
        const runId = await untilAsked(world);
        await delay(400);
        expect(eventsOf(world, "settle_started")).toEqual([]);
        const status = JSON.parse((await world.relais(["status", "--json"])).stdout);
        expect(status).toMatchObject({
          running: { run_id: runId, asks_until: expect.any(String) },
          waiting: [{ kind: "change", command: `relais accept ${runId}` }],
        });
        const card = (await world.relais(["status"])).stdout;
        expect(card).toContain("A change waits for your decision.");
        expect(card).toContain(`relais reject ${runId}`);
        const accepted = await world.relais(["accept", runId, "--json"]);
        expect([accepted.status, JSON.parse(accepted.stdout)]).toEqual([
          0,
          { run_id: runId, decision: "accept", message: null },
        ]);
        expect(JSON.parse((await running).stdout)).toMatchObject({ code: "SUCCESS", settle: { action: "commit" } });
        expect(world.git("show", "HEAD:src/main.ts")).toBe(GOOD.trimEnd());
        expect(requestsIn(world)).toEqual([]);
        const replayed = await world.relais(["history", "replay", "--json"]);
        expect(JSON.parse(replayed.stdout)).toMatchObject({ same: true });
      }),
    ));

  test("is reverted and kept in salvage when it is rejected, with the reason", () =>
    inTurn(() =>
      inWorld(HELD, async (world) => {
        const running = world.run();
        const runId = await untilAsked(world);
        const rejected = await world.relais(["reject", runId.slice(-4), "--reason", "Keep 41.", "--json"]);
        expect([rejected.status, JSON.parse(rejected.stdout)]).toEqual([
          0,
          { run_id: runId, decision: "reject", message: "Keep 41." },
        ]);
        const ran = await running;
        expect(ran.status).toBe(10);
        expect(JSON.parse(ran.stdout)).toMatchObject({
          code: "STOP_REJECTED",
          message: "Keep 41.",
          settle: { action: "rollback" },
          pointers: { salvage: runId },
        });
        expect(world.read("src/main.ts")).toBe(OLD);
        expect(world.git("status", "--porcelain")).toBe("");
      }),
    ));

  test("is reverted when nobody decides in time", () =>
    inTurn(() =>
      inWorld({ ...HELD, config: { ...ASK, ask_timeout_seconds: 0.3 } }, async (world) => {
        const ran = await world.run();
        expect(ran.status).toBe(14);
        expect(JSON.parse(ran.stdout)).toMatchObject({ code: "STOP_UNDECIDED", settle: { action: "rollback" } });
        expect(JSON.parse(ran.stdout).pointers.salvage).toBe(journalOf(world)[0]?.run_id);
        expect(world.read("src/main.ts")).toBe(OLD);
      }),
    ));

  test("that was edited meanwhile is judged and checked again, and asked about again", () =>
    inTurn(() =>
      inWorld(HELD, async (world) => {
        const running = world.run();
        const runId = await untilAsked(world);
        world.put({ "src/main.ts": "export const answer = 42; // by hand\n" });
        const first = await world.relais(["accept", runId, "--json"]);
        expect(JSON.parse(first.stdout)).toMatchObject({ decision: "edit", message: "`src/main.ts`" });
        await untilAsked(world, 2);
        expect(eventsOf(world, "verified")).toHaveLength(2);
        expect(JSON.parse((await world.relais(["accept", runId, "--json"])).stdout)).toMatchObject({
          decision: "accept",
        });
        expect(JSON.parse((await running).stdout)).toMatchObject({ code: "SUCCESS" });
        expect(world.git("show", "HEAD:src/main.ts")).toContain("by hand");
        expect(JSON.parse((await world.relais(["history", "replay", "--json"])).stdout)).toMatchObject({ same: true });
      }),
    ));

  test("that was edited outside the scope is judged by the same rules", () =>
    inTurn(() =>
      inWorld(HELD, async (world) => {
        const running = world.run();
        const runId = await untilAsked(world);
        world.put({ "README.md": "# Mine\n" });
        await world.relais(["accept", runId]);
        expect(JSON.parse((await running).stdout)).toMatchObject({
          code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED",
          pointers: { salvage: runId },
        });
        expect(world.git("status", "--porcelain")).toBe("");
        expect(JSON.parse((await world.relais(["history", "replay", "--json"])).stdout)).toMatchObject({ same: true });
      }),
    ));

  test("is not edited by somebody who only looks", () =>
    inTurn(() =>
      inWorld(HELD, async (world) => {
        const running = world.run();
        const runId = await untilAsked(world);
        world.git("status");
        world.git("diff");
        expect(JSON.parse((await world.relais(["accept", runId, "--json"])).stdout)).toMatchObject({
          decision: "accept",
        });
        expect(JSON.parse((await running).stdout)).toMatchObject({ code: "SUCCESS" });
      }),
    ));

  test("of a patch can be edited too", () =>
    inTurn(() =>
      inWorld(HELD, async (world) => {
        const running = world.relais(["run", "--patch", putPatch(world), "--check", "answer", "--json"]);
        const runId = await untilAsked(world);
        world.put({ "src/main.ts": "export const answer = 420;\n" });
        await world.relais(["accept", runId]);
        await untilAsked(world, 2);
        await world.relais(["accept", runId]);
        expect(JSON.parse((await running).stdout)).toMatchObject({ code: "SUCCESS" });
        expect(world.read("src/main.ts")).toBe("export const answer = 420;\n");
      }),
    ));

  test("of a patch is asked for by --ask as well", () =>
    inTurn(() =>
      inWorld({}, async (world) => {
        const running = world.relais(["run", "--patch", putPatch(world), "--check", "answer", "--ask", "--json"]);
        await world.relais(["reject", await untilAsked(world)]);
        expect(JSON.parse((await running).stdout)).toMatchObject({ code: "STOP_REJECTED" });
      }),
    ));

  test("does not spend the time of the tick", () =>
    inTurn(() =>
      inWorld({ ...HELD, config: { ...ASK, runner: { max_tick_seconds: 12 } } }, async (world) => {
        const running = world.run();
        const runId = await untilAsked(world);
        await delay(12_500);
        await world.relais(["accept", runId]);
        expect(JSON.parse((await running).stdout)).toMatchObject({ code: "SUCCESS" });
      }),
    ));

  test("is announced by the command of the notification", () =>
    inTurn(() => {
      const { config } = notifying(KEEPER);
      return inWorld({ ...HELD, config: { ...ASK, ...config } }, async (world) => {
        const running = world.run();
        const runId = await untilAsked(world);
        await world.relais(["accept", runId]);
        await running;
        expect(told(world)[0]).toMatchObject({
          kind: "question",
          run_id: runId,
          question: { choices: [`relais accept ${runId}`, `relais reject ${runId}`] },
        });
      });
    }));
});

describe.concurrent("a decision", () => {
  test("that a builder left behind counts for nothing", () =>
    inTurn(() => {
      const forged = JSON.stringify({ run_id: "RUN", question: "0", decision: "accept", message: null });
      const program = [
        `printf '%s' 'export const answer = 42;' > src/main.ts`,
        `for state in "$HOME"/../state/relais/*; do printf '%s' '${forged}' > "$state/decision-request.json"; done`,
        `printf '%s' '{"summary":"s","files_intended":[],"commands_ran":[],"notes":[]}' > "$RELAIS_RESULT_PATH"`,
        "",
      ].join("\n");
      return inWorld({ program, config: { ...ASK, ask_timeout_seconds: 0.6 } }, async (world) => {
        const ran = await world.run();
        expect(JSON.parse(ran.stdout)).toMatchObject({ code: "STOP_UNDECIDED" });
        expect(requestsIn(world)).toEqual([]);
      });
    }));

  test("for another question is ignored and removed", () =>
    inTurn(() =>
      inWorld(HELD, async (world) => {
        const running = world.run();
        const runId = await untilAsked(world);
        const other = { run_id: runId, question: "another", decision: "accept", message: null };
        writeFileSync(join(world.state(), "decision-request.json"), JSON.stringify(other));
        while (requestsIn(world).length > 0) await delay(20);
        expect(eventsOf(world, "decided")).toEqual([]);
        await world.relais(["reject", runId]);
        expect(JSON.parse((await running).stdout)).toMatchObject({ code: "STOP_REJECTED", message: null });
      }),
    ));

  test("about a tick that does not wait is refused", () =>
    inTurn(() =>
      inWorld({ steps: [GOOD_EDIT] }, async (world) => {
        const { run_id } = JSON.parse((await world.run()).stdout);
        const rejected = await world.relais(["reject", run_id, "--json"]);
        expect([rejected.status, JSON.parse(rejected.stdout)]).toEqual([
          10,
          expect.objectContaining({ cause: "not_asked", remedy: "`relais undo` reverts the last kept change." }),
        ]);
        expect((await world.relais(["reject", "nobody"])).status).toBe(2);
        expect((await world.relais(["reject"])).status).toBe(2);
        const accepted = await world.relais(["accept", run_id, "--json"]);
        expect([accepted.status, JSON.parse(accepted.stdout)]).toEqual([0, expect.objectContaining({ run_id })]);
        world.git("commit", "--allow-empty", "-qm", "another");
        const again = await world.relais(["accept", run_id, "--json"]);
        expect([again.status, JSON.parse(again.stdout)]).toEqual([
          10,
          expect.objectContaining({ cause: "already_committed" }),
        ]);
      }),
    ));
});

test("with git.commit never, an accepted change stays in the working tree", () =>
  inWorld({ ...HELD, config: { ...ASK, git: { commit: "never" } } }, async (world) => {
    const running = world.run();
    await world.relais(["accept", await untilAsked(world)]);
    expect(JSON.parse((await running).stdout)).toMatchObject({ code: "SUCCESS", settle: { action: "accept" } });
    expect(world.git("status", "--porcelain").trim()).toBe("M src/main.ts");
  }));

test("a tick without a change asks nobody", () =>
  inWorld(
    { config: ASK, steps: [], task: { allow_no_change: true, verification: { fast: [], slow: [] } } },
    async (world) => {
      expect(JSON.parse((await world.run()).stdout)).toMatchObject({ code: "SUCCESS" });
      expect(eventsOf(world, "asked")).toEqual([]);
    },
  ));

test("a relais that is killed while it waits is recovered: reverted, and kept in salvage", () =>
  inWorld({ ...HELD, ownProcess: true }, async (world) => {
    const started = world.start(["run", "--task", join(world.box, "task.json"), "--json"]);
    const runId = await untilAsked(world);
    started.process.kill("SIGKILL");
    await started.ended;
    expect((await world.relais(["accept", runId])).status).toBe(10);
    const recovered = JSON.parse((await world.relais(["recover", "--json"])).stdout);
    expect(recovered).toMatchObject({
      run_id: runId,
      report: { code: "STOP_INTERRUPTED", pointers: { salvage: runId } },
    });
    expect(world.read("src/main.ts")).toBe(OLD);
  }));

test("a signal while it waits reverts the change", () =>
  inWorld({ ...HELD, ownProcess: true }, async (world) => {
    const started = world.start(["run", "--task", join(world.box, "task.json"), "--json"]);
    await untilAsked(world);
    const stopped = await world.relais(["stop", "--json"]);
    expect(stopped.status).toBe(0);
    expect((await started.ended).status).toBe(143);
    expect(world.read("src/main.ts")).toBe(OLD);
  }));
