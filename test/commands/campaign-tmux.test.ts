/** A campaign that is watched in a real tmux, on a server of its own that goes with the test. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { CONTRACT } from "../support/campaign-contract.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { hasTmux, listTitles, typist, until, withTmux } from "../support/tmux-server.ts";

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
        expect(listTitles(tmux, started.session_name)).toEqual(["leader", "worker", "verifier"]);
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
    expect([ran.status, ran.stderr]).toEqual([0, expect.stringContaining("tmux was not found")]);
    expect(file("complete.md")).not.toBeNull();
    const listed = await world.relais(["campaign", "status"]);
    expect(listed.stdout).toBe("lines: complete; iteration 1, 1 of 1 stories verified\n");
  }));

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
