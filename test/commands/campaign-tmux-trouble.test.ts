/** A campaign in a real tmux whose viewers, leader or server are killed, or whose worker falls silent. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { CONTRACT } from "../support/campaign-contract.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { type AskTmux, hasTmux, listTitles, until, withTmux } from "../support/tmux-server.ts";

vi.setConfig({ testTimeout: 240_000 });

const ONE = { stories: CONTRACT.stories.slice(0, 1) };

/** The process ids of the viewers, by pane. */
const viewerOf = (tmux: AskTmux, pane: string): number =>
  Number(tmux("display-message", "-p", "-t", pane, "#{pane_pid}"));

test.runIf(hasTmux)(
  "a killed viewer is restarted within bounds, silence is reported, and idle workers are restarted until it is blocked",
  () =>
    inCampaignWorld(
      {
        contract: ONE,
        worker: 'while [ ! -e "$box/quiet" ]; do echo "tick tock"; sleep 0.2; done; sleep 120',
        config: {
          campaign: {
            poll_interval_seconds: 0.2,
            heartbeat_stale_seconds: 1.5,
            idle_nudge_seconds: 0.5,
            max_nudges: 2,
            max_restarts: 1,
          },
        },
      },
      async ({ world, file, campaign, sessions }) => {
        await withTmux(world, async (tmux, env) => {
          const ran = await world.relais(["campaign", "run", "lines", "--mode", "tmux", "--json"], env);
          const { panes, session_name: name } = JSON.parse(ran.stdout);
          const workerTitle = () => listTitles(tmux, name)[1];
          const shown = (pane: string) => tmux("capture-pane", "-p", "-J", "-S", "-", "-t", panes[pane]);
          await until(() => shown("worker").includes("tick tock"));
          const first = viewerOf(tmux, panes.worker);
          process.kill(first, "SIGKILL");
          await until(() => workerTitle() === "worker (restarted 1 of 1)");
          await until(() => viewerOf(tmux, panes.worker) !== first && shown("worker").includes("tick tock"));
          expect((await campaign("status", "lines")).summary).toMatchObject({
            leader: "alive",
            session: { role: "worker", state: "alive" },
            restarts: 0,
          });
          process.kill(viewerOf(tmux, panes.worker), "SIGKILL");
          await until(() => workerTitle() === "worker (ended 2 times, not restarted)");
          spawnSync("touch", [join(world.box, "quiet")]);
          await until(() => /worker: stale, no output for \d+ s \(notice 1 of 2\)/.test(shown("leader")));
          const status = await world.relais(["campaign", "status", "lines"]);
          expect(status.stdout).toMatch(/leader +running\n.*worker +no heartbeat/);
          await until(() => (file("blocked.md") ?? "") !== "");
          expect(sessions()).toEqual(["worker US-001 sonnet", "worker US-001 sonnet"]);
          expect(file("blocked.md")).toMatch(/2 sessions in a row came to nothing.*idle/);
          expect((await campaign("status", "lines")).summary).toMatchObject({
            leader: null,
            session: null,
            restarts: 2,
            sentinel: "blocked",
          });
        });
      },
    ),
);

test.runIf(hasTmux)(
  "stopped, or everything killed as by a reboot, it leaves no sentinel and goes on in the same iteration",
  () =>
    inCampaignWorld(
      {
        contract: ONE,
        worker:
          'touch "$box/at-$turn"; while [ $turn -lt 3 ]; do sleep 0.2; done; echo 1 >> src/main.ts; note; claim; signal verify',
      },
      async ({ world, file, campaign, status }) => {
        const sentinels = () => ["complete.md", "blocked.md", "timeout.md"].filter((name) => file(name) !== null);
        await withTmux(world, async (tmux, env) => {
          const start = async () => {
            const ran = await world.relais(["campaign", "run", "lines", "--mode", "tmux", "--json"], env);
            expect(ran.status).toBe(0);
            return JSON.parse(ran.stdout);
          };
          const nobody = await campaign("stop", "lines");
          expect([nobody.status, nobody.stdout]).toEqual([10, expect.stringContaining("not_running")]);
          const one = await start();
          await until(() => existsSync(join(world.box, "at-1")));
          const again = await world.relais(["campaign", "run", "lines", "--mode", "tmux"], env);
          expect([again.status, again.stderr]).toEqual([
            11,
            expect.stringMatching(new RegExp(`^blocked BLOCKED_LOCK_HELD: Process ${one.pid} `)),
          ]);
          expect(JSON.parse(file("session-config.json") ?? "{}").pid).toBe(one.pid);
          expect(tmux("list-sessions", "-F", "#{session_name}").trim()).toBe(one.session_name);
          const shown = (pane: string) => tmux("capture-pane", "-p", "-J", "-S", "-", "-t", pane);
          const isDrawn = (pane: string): boolean =>
            tmux("capture-pane", "-p", "-t", pane).includes("iteration 1 of 100");
          await until(() => isDrawn(one.panes.leader));
          const stopped = await campaign("stop", "lines");
          expect(JSON.parse(stopped.stdout)).toEqual({ slug: "lines", stopped: one.pid });
          expect([sentinels(), status().iteration, world.git("status", "--porcelain")]).toEqual([[], 0, ""]);
          expect((await campaign("status", "lines")).summary.leader).toBeNull();
          await until(() => !isDrawn(one.panes.leader));
          const two = await start();
          await until(() => existsSync(join(world.box, "at-2")) && isDrawn(two.panes.leader));
          const server = Number(tmux("display-message", "-p", "#{pid}"));
          process.kill(two.pid, "SIGKILL");
          for (const pane of Object.values<string>(two.panes))
            await until(() => shown(pane).includes(`The leader (process ${two.pid}) ended before`));
          process.kill(server, "SIGKILL");
          expect((await campaign("status", "lines")).summary).toMatchObject({
            leader: "gone",
            sentinel: null,
          });
          expect((await world.relais(["campaign", "logs", "lines"])).stdout).toContain("iter-001.worker-prompt.md");
          expect(sentinels()).toEqual([]);
          const three = await start();
          await until(() => sentinels().length > 0);
          expect(sentinels()).toEqual(["complete.md"]);
          await until(() => status().sentinel === "complete");
          expect(status()).toMatchObject({ iteration: 1, phase: "done" });
          await until(() =>
            tmux("capture-pane", "-p", "-S", "-", "-t", three.panes.leader).includes("ended, complete"),
          );
        });
      },
    ),
);
