/** A worker of a goal or of a campaign that a limit ends, and what the next one finds. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { inGoalWorld } from "../support/goal-world.ts";
import { inTurn } from "../support/scenario.ts";

const SHORT = { roles: { builder: { timeout_seconds: 1.5 } } };
const HALF = "echo half > src/half.ts; sleep 60";
const KEY = "its 1.5 seconds are set by `roles.builder.timeout_seconds`";

test("goal: the next worker finds what the one before had done, and nobody has to look", () =>
  inTurn(() =>
    inGoalWorld(
      {
        config: SHORT,
        worker: `if [ "$turn" = 1 ]; then ${HALF}; fi; cat src/half.ts >> src/main.ts; receipt "Went on."`,
      },
      async ({ goal, sessions, world, ledger, prompt }) => {
        expect((await goal("Reach it")).summary).toMatchObject({ status: "complete" });
        expect(sessions().filter((one) => one === "worker")).toHaveLength(2);
        expect(world.git("show", "--name-only", "--format=", "HEAD").trim().split("\n").toSorted()).toEqual([
          "src/half.ts",
          "src/main.ts",
        ]);
        expect(ledger().decisions[0]?.reason).toContain(KEY);
        expect(prompt("worker")).toContain("An earlier session worked on this and was ended by a limit");
      },
    ),
  ));

test("goal: a worker that adds nothing to what was there needs a person", () =>
  inTurn(() =>
    inGoalWorld({ config: SHORT, worker: HALF }, async ({ goal, sessions }) => {
      expect((await goal("Reach it")).summary).toMatchObject({ status: "needs_human" });
      expect(sessions()).toEqual(["worker", "worker"]);
    }),
  ));

test("campaign: the next worker begins from it, and it was no restart", () =>
  inTurn(() =>
    inCampaignWorld(
      {
        config: { ...SHORT, campaign: { poll_interval_seconds: 0.01, max_restarts: 1 } },
        worker: `if [ "$turn" = 1 ]; then ${HALF}; fi; cat src/half.ts >> src/main.ts; note; claim; signal verify`,
      },
      async ({ campaign, sessions, world }) => {
        expect((await campaign("run", "lines")).summary).toMatchObject({ sentinel: "complete" });
        expect(sessions().filter((one) => one.startsWith("worker"))).toHaveLength(3);
        expect(world.git("ls-files", "src")).toContain("src/half.ts");
      },
    ),
  ));

test("campaign: a worker whose session had ended before a kill is not called again", () =>
  inTurn(() =>
    inCampaignWorld({}, async ({ campaign, sessions, world, file }) => {
      const { process, ended } = world.start(["campaign", "run", "lines", "--json"], {
        NODE_OPTIONS: `--require ${resolve("test/crash/kill-at.cjs")}`,
        RELAIS_STRIKE: JSON.stringify({ at: "/journal.jsonl", data: '"type":"judged"', when: "before" }),
      });
      await ended;
      expect(process.signalCode).toBe("SIGKILL");
      expect((await campaign("run", "lines")).summary).toMatchObject({ sentinel: "complete" });
      expect(sessions().filter((one) => one.startsWith("worker"))).toHaveLength(2);
      expect(world.read("src/main.ts")).toContain("line 1\nline 2\n");
      expect(file("context-latest.md")).toContain("After session 1");
    }),
  ));
