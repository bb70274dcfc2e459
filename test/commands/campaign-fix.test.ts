import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { CONTRACT } from "../support/campaign-contract.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";

vi.setConfig({ testTimeout: 240_000 });

const ONE = { stories: CONTRACT.stories.slice(0, 1) };
/** A child that outlives its session writes the second piece of a file. */
const PIECES = `pieces() {
  mv "$1" "$box/whole"
  head -c 20 "$box/whole" > "$1"
  ( sleep 0.3; tail -c +21 "$box/whole" >> "$1" ) &
}`;
const TRACED = `claim '{"path":"src/main.ts","issue":1}'`;

test.concurrent(
  "what a verifier finds is fixed by a stronger worker, and nothing that belongs to another session counts",
  () =>
    inCampaignWorld(
      {
        contract: ONE,
        worker: `
        ${PIECES}
        case $turn in
          1) address=$(printf '%s' "$address" | sed 's/"nonce":"/&old-/'); note; claim; signal verify ;;
          2) echo "line $turn" >> src/main.ts; note; claim
             printf '{"kind":"sig' > "$RELAIS_RESULT_PATH"; sleep 0.4; signal verify
             pieces "$RELAIS_RESULT_PATH" ;;
          3) echo "line $turn" >> src/main.ts; echo stray > src/stray.ts; note; ${TRACED}; signal verify
             pieces "$RELAIS_DROP/done-claim.json" ;;
          *) rm -f src/stray.ts; note; claim '{"path":"src/stray.ts","issue":2}'; signal verify ;;
        esac`,
        verifier: `${PIECES}
        if [ $look = 1 ]; then verdict fail "$(issue "US-001 AC1" critical)"; else verdict pass; fi
        pieces "$RELAIS_RESULT_PATH"`,
      },
      async ({ campaign, sessions, file, prompt }) => {
        const { summary, status } = await campaign("run", "lines", "--debug");
        expect({ status, summary }).toMatchObject({
          status: 0,
          summary: { sentinel: "complete", iteration: 3, consecutive_failures: 0 },
        });
        expect(sessions()).toEqual([
          "worker US-001 sonnet",
          "worker US-001 sonnet",
          "verifier:verifier US-001 opus",
          "worker US-001 opus",
          "worker US-001 opus",
          "verifier:verifier US-001 opus",
          "verifier:verifier ALL opus",
        ]);
        expect(prompt("worker-3")).toMatch(
          /1\. \[critical\] US-001 AC1: It is wrong\. - fix_hint: \(suggestion, non-authoritative\) Turn it round\./,
        );
        expect(prompt("worker-4")).toMatch(/2\. \[major\] traceability: .*src\/stray\.ts/);
        expect(file("logs/iter-001.result.md")).toMatch(/verdict on `US-001`: `fail`/);
        expect(file("logs/debug.log")).toMatch(/begin iter-001-US-001 model=sonnet[^]*signal_foreign[^]*end complete/);
        expect(file("verify-verdict.json")).toContain('"story": "ALL"');
      },
    ),
);

test.concurrent("a red command is a fail, and no verifier is paid to look at it", () =>
  inCampaignWorld(
    {
      contract: { ...ONE, commands: [{ id: "ready", argv: ["test", "-f", "src/ready.ts"] }] },
      worker: `note
        if [ $turn = 2 ]; then echo ok > src/ready.ts; claim '{"path":"src/ready.ts","issue":1}'; else claim; fi
        signal verify`,
    },
    async ({ campaign, prompt, file, sessions }) => {
      const { summary } = await campaign("run", "lines");
      expect(summary).toMatchObject({ sentinel: "complete", iteration: 2 });
      expect(
        sessions()
          .slice(0, 3)
          .map((one) => one.split(" ")[0]),
      ).toEqual(["worker", "worker", "verifier:verifier"]);
      expect(prompt("worker-2")).toContain("[critical] command ready: The runner ran `test -f src/ready.ts`");
      expect(file("logs/iter-001.result.md")).toMatch(/verdict on `US-001`: `fail`/);
    },
  ),
);

test.concurrent("workers that leave nothing are restarted within bounds, then it is blocked; cleaned, it goes on", () =>
  inCampaignWorld(
    {
      contract: ONE,
      worker: "if [ $turn -gt 3 ]; then note; claim; signal verify; fi",
      config: { campaign: { poll_interval_seconds: 0.01, max_restarts: 2 } },
    },
    async ({ campaign, sessions, file, world, status }) => {
      const first = await campaign("run", "lines");
      expect([first.status, first.summary.sentinel, sessions().length]).toEqual([14, "blocked", 3]);
      expect(file("blocked.md")).toMatch(/3 sessions in a row came to nothing.*result_missing/);
      expect((await world.relais(["campaign", "run", "lines"])).stderr).toContain("blocked.md exists");
      // A process that was killed before it could write the sentinel changes nothing about it.
      rmSync(join(world.root, "relais/campaigns/lines/blocked.md"));
      expect((await world.relais(["campaign", "run", "lines"])).status).toBe(10);
      expect(file("blocked.md")).toContain("campaign_blocked");
      expect(status().sentinel).toBe("blocked");
      expect((await world.relais(["campaign", "clean", "lines"])).status).toBe(0);
      expect(status()).toMatchObject({ sentinel: null, phase: "worker" });
      const second = await campaign("run", "lines");
      expect(second.summary).toMatchObject({
        sentinel: "complete",
        iteration: 1,
        series_id: first.summary.series_id,
      });
      expect([file("complete.md") === null, file("blocked.md"), file("timeout.md")]).toEqual([false, null, null]);
    },
  ),
);

test.concurrent(
  "after a signal and after SIGKILL while a verifier looks, the same iteration goes on and no worker is paid again",
  () =>
    inCampaignWorld(
      {
        contract: ONE,
        verifier: 'if [ $look -lt 3 ]; then touch "$box/looking-$look"; sleep 60; fi; verdict pass',
      },
      async ({ campaign, sessions, file, world }) => {
        for (const [look, signal] of [
          [1, "SIGINT"],
          [2, "SIGKILL"],
        ] as const) {
          const started = world.start(["campaign", "run", "lines"]);
          for (let tries = 0; tries < 1200 && !existsSync(join(world.box, `looking-${look}`)); tries += 1)
            await delay(50);
          process.kill(started.process.pid ?? 0, signal);
          await started.ended;
          expect([file("complete.md"), file("blocked.md"), file("timeout.md")]).toEqual([null, null, null]);
        }
        const { status, summary } = await campaign("run", "lines");
        expect({ status, summary }).toMatchObject({
          status: 0,
          summary: { iteration: 1, sentinel: "complete" },
        });
        expect(sessions().map((line) => line.replace(/ .*/, ""))).toEqual([
          "worker",
          "verifier:verifier",
          "verifier:verifier",
          "verifier:verifier",
          "verifier:verifier",
        ]);
      },
    ),
);

test.concurrent("two verifiers must agree, questions go to the worker, and the iterations come to an end", () =>
  inCampaignWorld(
    {
      contract: ONE,
      config: { campaign: { poll_interval_seconds: 0.01, verifiers: 2 } },
      verifier: `if [ $RELAIS_REVIEWER = second ] && [ $turn = 1 ]; then verdict request_info "" '"Which line?"'; else verdict pass; fi`,
    },
    async ({ campaign, file, prompt, world }) => {
      const first = await campaign("run", "lines", "--max-iter", "1");
      expect([first.status, first.summary.sentinel, first.summary.last_result]).toEqual([
        10,
        "timeout",
        "request_info",
      ]);
      expect(file("timeout.md")).toContain("All 1 iterations are used up.");
      await world.relais(["campaign", "clean", "lines"]);
      const second = await campaign("run", "lines", "--max-iter", "2");
      expect(second.summary).toMatchObject({ sentinel: "complete", iteration: 2, consecutive_failures: 0 });
      expect(prompt("worker-2")).toContain("1. Which line?");
    },
  ),
);

test.concurrent("a context that stands still in 3 iterations is the end, and a worker cannot declare another one", () =>
  inCampaignWorld(
    {
      contract: ONE,
      worker: `echo "line $turn" >> src/main.ts; signal continue
        case $turn in 1) note ;; 2) echo done > relais/campaigns/lines/complete.md ;; esac`,
    },
    async ({ campaign, file, prompt, world }) => {
      const { status, summary } = await campaign("run", "lines");
      expect([status, summary.sentinel, summary.iteration, summary.commits]).toEqual([14, "blocked", 4, 3]);
      expect(file("blocked.md")).toContain("context-latest.md has not changed in 3 iterations in a row.");
      expect(file("complete.md")).toBeNull();
      expect(prompt("worker-3")).toMatch(/Why the last change was reverted[^]*STOP_RUNNER_OWNED_MUTATION/);
      expect(world.read("src/main.ts")).toMatch(/line 1\nline 3\nline 4\n$/);
    },
  ),
);

test.concurrent("what cannot be run is refused with the reason, and nothing is written", () =>
  inCampaignWorld({}, async ({ world, sessions, campaign }) => {
    world.put({ "../other.json": JSON.stringify({ ...CONTRACT, ...ONE }) });
    const refusals: readonly (readonly [readonly string[], number, RegExp])[] = [
      [["run"], 2, /needs the slug/],
      [["run", "Lines"], 2, /is not a slug/],
      [["run", "other"], 10, /no campaign other here\.\n[^]*there is lines/],
      [["clean", "lnies"], 10, /no campaign lnies here\. Did you mean lines\?/],
      [["stop", "lines"], 10, /The campaign lines is not running/],
      [["run", "lines", "--max-iter", "0"], 2, /--max-iter is a whole number/],
      [["run", "lines", "--verify-mode", "never"], 2, /per-story or batch/],
      [["status", "lines", "--debug"], 2, /--debug belongs to/],
      [["brainstorm"], 2, /no terminal to ask/],
      [["brainstorm", "--from", "none.json"], 2, /does not exist/],
      [["brainstorm", "--from", "src/main.ts"], 2, /src\/main\.ts is not JSON: /],
      [["brainstorm", "--from", "../other.json", "--yes"], 10, /The campaign lines exists with another contract/],
    ];
    for (const [args, status, words] of refusals) {
      const ran = await world.relais(["campaign", ...args]);
      expect([args, ran.status, ran.stderr]).toEqual([args, status, expect.stringMatching(words)]);
    }
    const made = await world.relais(["campaign", "init", "fresh", "Something new", "--json"]);
    expect(made.status).toBe(0);
    expect(JSON.parse(made.stdout).problems).toEqual([
      expect.stringContaining("US-001 has no title"),
      expect.stringContaining("US-001 AC1: it is not written yet"),
      expect.stringContaining("iteration unit is not chosen"),
      expect.stringContaining("no command"),
    ]);
    expect(world.read("relais/campaigns/fresh/status.json")).toContain('"phase": "worker"');
    expect((await world.relais(["campaign", "run", "fresh"])).status).toBe(10);
    world.put({ "../draft.json": JSON.stringify({ ...CONTRACT, slug: "draft" }) });
    const draft = await world.relais(["campaign", "brainstorm", "--from", "../draft.json"]);
    expect([draft.status, draft.stdout]).toEqual([14, expect.stringContaining("Nothing was written")]);
    expect(world.has("relais/campaigns/draft")).toBe(false);
    expect((await campaign("status", "lines")).summary).toMatchObject({ iteration: 0, sentinel: null });
    expect(sessions()).toEqual([]);
    expect(spawnSync("git", ["status", "--porcelain"], { cwd: world.root }).stdout.toString()).toBe("");
  }),
);
