/** A campaign that is watched in a real tmux, on a server of its own that goes with the test. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { CONTRACT, inCampaignWorld } from "../support/campaign-world.ts";
import { executable, useExecutable } from "../support/relais.ts";
import type { World } from "../support/scenario-world.ts";

useExecutable();
vi.setConfig({ testTimeout: 240_000 });

const ONE = { stories: CONTRACT.stories.slice(0, 1) };
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** Does something with a tmux server that nobody else knows, and ends it. */
async function withTmux(
  world: World,
  work: (tmux: (...args: readonly string[]) => string, env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const env = { TMUX_TMPDIR: join(world.box, "tmp"), TMUX: "" };
  const tmux = (...args: readonly string[]): string =>
    spawnSync("tmux", args, { env: { ...world.environment, ...env, TERM: "xterm" }, encoding: "utf8" })
      .stdout;
  try {
    await work(tmux, env);
  } finally {
    tmux("kill-server");
  }
}

/** Looks until it is true, for as long as a slow machine may need. */
async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1200 && !isTrue(); tries += 1) await delay(100);
  expect(isTrue()).toBe(true);
}

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
        await until(() => shown("leader").includes("begin iter-001-US-001 model=sonnet"));
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
        await until(() => shown("leader").includes("end complete"));
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
    const followed = await world.relais(["campaign", "logs", "lines", "--follow", "--pane", "leader"]);
    expect(followed.stdout).toMatch(/begin iter-001-US-001[^]*begin verify-001-ALL[^]*end complete/);
  }));

test.runIf(hasTmux)(
  "a person is asked every item, the unit is never taken silently, and nothing is written before yes",
  () =>
    inCampaignWorld({}, async ({ world }) => {
      await withTmux(world, async (tmux) => {
        const line = [process.execPath, executable, "campaign", "brainstorm", "A small calculator"];
        tmux("new-session", "-d", "-s", "ask", "-x", "150", "-y", "50", "-c", world.root, ...line);
        tmux("set-option", "-t", "ask", "remain-on-exit", "on");
        const shown = () => tmux("capture-pane", "-p", "-t", "ask");
        const answer = async (question: string, text: string) => {
          await until(() => shown().trimEnd().split("\n").at(-1)?.includes(question) === true);
          tmux("send-keys", "-t", "ask", "-l", text);
          tmux("send-keys", "-t", "ask", "Enter");
        };
        await answer("1. Slug, a short name [a-small-calculator]:", "");
        await answer("2. Objective", "");
        await answer("US-001, title:", "Adding");
        await answer("US-001 AC1:", "It works");
        await answer("US-001 AC1:", "`add(1, 2)` returns 3");
        expect(shown()).toContain("Nobody can check that");
        await answer("US-001 AC2:", "");
        await answer("US-002, title:", "");
        await answer("story or all:", "");
        await until(() => shown().includes("Write story or all."));
        await answer("story or all:", "story");
        await answer("command 1", "npm test && true");
        await answer("command 1", "npm test");
        await answer("command 2", ".");
        await answer("6. Complete when", "");
        await answer("Blocked when", "");
        await answer("7. Worker model [sonnet]:", "haiku");
        await answer("Verifier model [opus]:", "");
        await answer("8. Max iterations [6]:", "");
        await until(() => shown().includes("Write these files?"));
        expect(world.has("relais/campaigns/a-small-calculator")).toBe(false);
        await answer("Write these files?", "yes");
        await until(() => world.has("relais/campaigns/a-small-calculator/context-latest.md"));
        const prd = world.read("relais/campaigns/a-small-calculator/prd.md");
        expect(prd).toContain("- AC1: `add(1, 2)` returns 3");
        expect(prd).toMatch(
          /iteration unit: story\n- worker model: haiku\n- verifier model: -\n- max iterations: 6/,
        );
        expect(world.read("relais/campaigns/a-small-calculator/test-spec.md")).toContain(
          "- check-1: `npm test`",
        );
      });
    }),
);
