/** A campaign that is watched in a real tmux, on a server of its own that goes with the test. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { CONTRACT } from "../support/campaign-contract.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { type AskTmux, hasTmux, typist, until, withTmux } from "../support/tmux-server.ts";

vi.setConfig({ testTimeout: 240_000 });

const ONE = { stories: CONTRACT.stories.slice(0, 1) };

test.runIf(hasTmux)("the leader runs apart, the panes show it, and closing them harms nothing", () =>
  inCampaignWorld(
    {
      contract: ONE,
      worker:
        'echo "hammering away"; touch "$box/hammering"; while [ ! -e "$box/go" ]; do sleep 0.2; done; echo 1 >> src/main.ts; note; claim; signal verify',
      verifier: 'echo "looking closely" >&2; verdict pass',
    },
    async ({ world, file, campaign }) => {
      await withTmux(world, async (tmux, env) => {
        const ran = await world.relais(["campaign", "run", "lines", "--mode", "tmux", "--json"], env);
        expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: "" });
        const started = JSON.parse(ran.stdout);
        expect(started.session_name).toMatch(/^relais-lines-\d{8}-\d{6}$/);
        expect(started.attach).toBe(`tmux attach -t ${started.session_name}`);
        const shown = (pane: string) => tmux("capture-pane", "-p", "-t", started.panes[pane]);
        await until(() => shown("worker").includes("hammering away"));
        await until(() => shown("leader").includes("plan: US-001: The first line"));
        expect(titles(tmux, started.session_name)).toEqual(["leader", "worker", "verifier"]);
        expect(shown("worker")).not.toContain("plan:");
        // Below its lines the leader's pane shows where the campaign stands.
        await until(() => /iteration 1 of 100[^]*hammering away/.test(shown("leader")));
        const config = JSON.parse(file("session-config.json") ?? "{}");
        expect(config).toMatchObject({
          session_name: started.session_name,
          panes: started.panes,
          pid: started.pid,
          slug: "lines",
          root: world.root,
          models: { worker: "sonnet", verifier: "opus" },
          config: { max_iter: 100, max_restarts: 3, max_nudges: 3 },
        });
        expect((await campaign("status", "lines")).summary).toMatchObject({
          leader: "alive",
          sentinel: null,
        });
        const busy = await world.relais(["campaign", "clean", "lines"]);
        expect(busy.status).toBe(11);
        tmux("kill-pane", "-t", started.panes.worker);
        spawnSync("touch", [join(world.box, "go")]);
        await until(() => file("complete.md") !== null);
        await until(() => shown("verifier").includes("looking closely"));
        await until(() => shown("leader").includes("series: ended, complete"));
        await until(() => shown("verifier").includes(`The leader (process ${started.pid}) is done.`));
        tmux("new-session", "-d", "-s", "relais-lines-mine", "sleep", "1000");
        tmux("new-session", "-d", "-s", "relais-lines-20260101-000000", "sleep", "1000");
        const cleaned = await world.relais(["campaign", "clean", "lines", "--kill-session", "--json"], env);
        expect(JSON.parse(cleaned.stdout)).toMatchObject({ killed: [started.session_name] });
        expect(tmux("list-sessions", "-F", "#{session_name}").trim().split("\n")).toEqual([
          "relais-lines-20260101-000000",
          "relais-lines-mine",
        ]);
        expect([file("complete.md"), file("session-config.json")]).toEqual([null, null]);
      });
    },
  ),
);

test("without tmux it says so, and runs in the foreground", () =>
  inCampaignWorld({ contract: ONE }, async ({ world, file }) => {
    const bin = join(world.box, "no-tmux");
    mkdirSync(bin);
    for (const name of readdirSync("/usr/bin"))
      if (name !== "tmux") symlinkSync(join("/usr/bin", name), join(bin, name));
    const ran = await world.relais(["campaign", "run", "lines", "--mode", "tmux"], { PATH: bin });
    expect([ran.status, ran.stderr]).toEqual([0, expect.stringContaining("no tmux on the PATH")]);
    expect(file("complete.md")).not.toBeNull();
    const listed = await world.relais(["campaign", "status"]);
    expect(listed.stdout).toBe("lines: complete; iteration 1, 1 of 1 stories verified\n");
  }));

const titles = (tmux: AskTmux, session: string): readonly string[] =>
  tmux("list-panes", "-s", "-t", `=${session}`, "-F", "#{pane_title}").trim().split("\n");

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
          const workerTitle = () => titles(tmux, name)[1];
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
          await until(() => file("blocked.md") !== null);
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

test.runIf(hasTmux)(
  "inside tmux another session is made on the same server, and a wrong name is answered with the right one",
  () =>
    inCampaignWorld({ contract: ONE, worker: "note; signal blocked" }, async ({ world, file }) => {
      await withTmux(world, async (tmux) => {
        const wrong = typist(world, tmux, ["campaign", "run", "line", "--mode", "tmux"]);
        await until(() => wrong.shown().includes("There is no campaign line here. Did you mean lines?"));
        const inside = typist(world, tmux, ["campaign", "run", "lines", "--mode", "tmux"]);
        await until(() => inside.shown().includes("Next: tmux switch-client -t relais-lines-"));
        const [, name = ""] = /switch-client -t (\S+)/.exec(inside.shown()) ?? [];
        expect(tmux("list-sessions", "-F", "#{session_name}").split("\n")).toContain(name);
        await until(() => file("blocked.md") !== null);
      });
    }),
);
