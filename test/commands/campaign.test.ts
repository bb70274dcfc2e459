import { expect, test } from "vitest";
import { inCampaignWorld } from "../support/campaign-world.ts";

test.concurrent("a campaign goes story by story, verifies everything at the end, and leaves one sentinel", () =>
  inCampaignWorld({}, async ({ world, campaign, sessions, status, file, prompt }) => {
    const { status: exit, summary, stderr } = await campaign("run", "lines");
    expect(stderr).toBe("");
    expect({ exit, summary }).toMatchObject({
      exit: 0,
      summary: {
        kind: "campaign_summary",
        sentinel: "complete",
        phase: "done",
        iteration: 2,
        verified_stories: ["US-001", "US-002"],
        consecutive_failures: 0,
        commits: 2,
        exit_status: 0,
      },
    });
    expect(sessions()).toEqual([
      "worker US-001 sonnet",
      "verifier:verifier US-001 opus",
      "worker US-002 sonnet",
      "verifier:verifier US-002 opus",
      "verifier:verifier ALL opus",
    ]);
    expect(world.git("status", "--porcelain")).toBe("");
    expect([file("complete.md"), file("blocked.md"), file("timeout.md")]).toEqual([
      expect.stringContaining("Everything is verified."),
      null,
      null,
    ]);
    expect(status()).toMatchObject({
      iteration: 2,
      last_result: "pass",
      phase: "done",
      sentinel: "complete",
    });
    expect(prompt("worker-2")).toContain(file("logs/iter-002.worker-prompt.md"));
    expect(file("logs/iter-002.verifier-prompt.md")).toBe(prompt("verifier-2"));
    expect(file("logs/iter-002.verifier-prompt.final.md")).toBe(prompt("verifier-3"));
    expect(file("logs/iter-001.result.md")).toMatch(
      /result: `SUCCESS` \[leader-measured\][^]*changed: 1 file, \+1 -0 \[git-measured\]\n {2}- `src\/main.ts`[^]*verdict on `US-001`: `pass` \[leader-measured\]/,
    );
    expect(file("context-latest.md")).toContain("After session 1\nAfter session 2\n");
    expect(prompt("worker-2")).toContain("After session 1");
    expect(prompt("verifier-1")).toContain('exit status 0: "there"');
    expect(prompt("verifier-3")).toContain("+line 1\n+line 2");
    const again = await world.relais(["campaign", "run", "lines"]);
    expect([again.status, again.stderr]).toEqual([10, expect.stringContaining("complete.md exists")]);
    await world.relais(["campaign", "clean", "lines"]);
    expect((await campaign("status", "lines")).summary).toMatchObject({
      sentinel: null,
      iteration: 0,
      story: "US-001",
      commits: 0,
    });
  }),
);

test.concurrent("on a protected branch a campaign says first where it commits, and at its end how that gets here", () =>
  inCampaignWorld({}, async ({ world }) => {
    world.git("switch", "-q", "-C", "main");
    const { status, stdout } = await world.relais(["campaign", "run", "lines"]);
    const branch = /^Its commits go to the branch (?<name>\S+), because/mu.exec(stdout)?.groups?.["name"] ?? "";
    expect({ status, branch }).toEqual({ status: 0, branch: expect.stringMatching(/^relais\/lines-[0-9a-f]{4}$/u) });
    expect(stdout).toContain(`git switch main && git merge ${branch}\n`);
    expect(world.git("rev-list", "--count", `main..${branch}`)).toBe("2");
    world.git("switch", "-q", "main");
    world.git("merge", "-q", branch);
    expect(world.git("status", "--porcelain")).toBe("");
  }),
);

test.concurrent("the two verifiers of a consensus can be different agents", () =>
  inCampaignWorld(
    { config: { campaign: { verifiers: 2, second_verifier: { driver: "command", model: "other" } } } },
    async ({ campaign, sessions }) => {
      const { summary } = await campaign("run", "lines", "--max-iter", "2");
      expect(summary).toMatchObject({ sentinel: "complete" });
      const models = sessions().filter((line) => line.startsWith("verifier") && line.includes(" US-001 "));
      expect(new Set(models.map((line) => line.split(" ").at(-1)))).toEqual(new Set(["opus", "other"]));
    },
  ),
);

test.concurrent("a second verifier that is not installed is named before a worker is paid", () =>
  inCampaignWorld(
    {
      config: {
        campaign: { verifiers: 2, second_verifier: { driver: "codex" } },
        builder: { codex: { command: "no-such-codex" } },
      },
    },
    async ({ campaign, sessions }) => {
      const { status, stdout } = await campaign("run", "lines");
      expect([status, stdout]).toEqual([10, expect.stringContaining("verifier_not_found")]);
      expect(sessions()).toEqual([]);
    },
  ),
);
