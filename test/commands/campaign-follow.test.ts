import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { CONTRACT } from "../support/campaign-contract.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";

vi.setConfig({ testTimeout: 240_000 });

const ONE = { stories: CONTRACT.stories.slice(0, 1) };
const WORKER =
  'echo "hammering away"; while [ ! -e "$box/go" ]; do sleep 0.2; done; echo 1 >> src/main.ts; note; claim; signal verify';
/** Two processes read the journal and the logs at moments of their own, so only the order within each source is the same. */
const linesOf = (text: string) =>
  text
    .replaceAll(/^\d\d:\d\d:\d\d /gm, "")
    .split("\n")
    .toSorted();

test("`campaign logs --follow` prints the same as `status --watch --role`", () =>
  inCampaignWorld({ contract: ONE, worker: WORKER }, async ({ world }) => {
    const follow = async (args: readonly string[], text: string) => {
      const { process, ended } = world.start(args);
      await new Promise<void>((resolve) => {
        let printed = "";
        process.stdout?.on("data", (data: Buffer) => {
          printed += data.toString();
          if (printed.includes(text)) resolve();
        });
      });
      return { ended };
    };
    const run = world.start(["campaign", "run", "lines"]);
    const followers = await Promise.all([
      follow(["campaign", "logs", "lines", "--follow", "--pane", "worker"], "hammering away"),
      follow(["status", "--watch", "--role", "builder"], "hammering away"),
      follow(["campaign", "logs", "lines", "--follow"], "plan: US-001"),
      follow(["status", "--watch", "--role", "runner"], "plan: US-001"),
    ]);
    writeFileSync(join(world.box, "go"), "");
    expect((await run.ended).status).toBe(0);
    const ends = await Promise.all(followers.map(({ ended }) => ended));
    expect(ends.map(({ status, stderr }) => [status, stderr])).toEqual(ends.map(() => [0, ""]));
    const [worker, builder, leader, runner] = ends.map(({ stdout }) => linesOf(stdout));
    expect(worker).toEqual(builder);
    expect(leader).toEqual(runner);
    expect(worker?.join("\n")).not.toContain("plan:");
  }));

test.for([
  [["--pane", "worker"], "--pane needs --follow"],
  [["2", "--follow"], "--follow takes no iteration"],
  [["--follow", "--json"], "use `relais events --follow --json`"],
] as const)("`campaign logs` refuses %j", ([args, reason]) =>
  inCampaignWorld({ contract: ONE }, async ({ world }) => {
    const { status, stdout, stderr } = await world.relais(["campaign", "logs", "lines", ...args]);
    expect([status, stdout + stderr]).toEqual([2, expect.stringContaining(reason)]);
  }),
);
