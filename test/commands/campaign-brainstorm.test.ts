/** A campaign is thought through by a person at a terminal, with or without a draft of the agent. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { adaptCodexSchema } from "../../src/agents/codex-arguments.ts";
import type { CampaignDraft } from "../../src/records/campaign.ts";
import { readShippedSchema } from "../../src/workspace/shipped-files.ts";
import { CONTRACT } from "../support/campaign-contract.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { hasTmux, typist, until, withTmux } from "../support/tmux-server.ts";

vi.setConfig({ testTimeout: 240_000 });

test.runIf(hasTmux)(
  "a person is asked every item, the unit is never taken silently, and nothing is written before yes",
  () =>
    inCampaignWorld({}, async ({ world }) => {
      await withTmux(world, async (tmux) => {
        const line = ["campaign", "brainstorm", "A small calculator"];
        const { shown, answer } = typist(world, tmux, line);
        await answer("Let the agent draft suggestions (one session)?", "");
        await answer("1. Slug, a short name [a-small-calculator]:", "");
        await answer("2. Objective", "");
        await answer("US-001, title:", "Adding");
        await answer("US-001 AC1:", "It works");
        await answer("US-001 AC1:", "`add(1, 2)` returns 3");
        expect(shown()).toContain("Not checkable");
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
        expect(prd).toMatch(/iteration unit: story\n- worker model: haiku\n- verifier model: -\n- max iterations: 6/);
        expect(world.read("relais/campaigns/a-small-calculator/test-spec.md")).toContain("- check-1: `npm test`");
      });
    }),
);

const DRAFT: CampaignDraft = {
  slug: "adder",
  objective: "It adds \u001b[31mnumbers",
  stories: [
    { title: "Adding", criteria: ["`add(1, 2)` returns 3", "it is nice", "`add` throws for text"] },
    { title: "Fluff", criteria: ["`fluff` is there"] },
    { title: "Taking away", criteria: ["`sub(2, 1)` returns 1"] },
  ],
  commands: [{ id: "unit", argv: ["node", "--test"] }],
  complete_when: "Both work.",
  blocked_when: "Nobody knows how to add.",
  max_iterations: 7,
};

test.runIf(hasTmux)("the agent drafts, the person decides about every item, and only yes writes", () =>
  inCampaignWorld({ verifier: 'cp "$box/draft.json" "$RELAIS_RESULT_PATH"' }, async ({ world, sessions, prompt }) => {
    writeFileSync(join(world.box, "draft.json"), JSON.stringify(DRAFT));
    await withTmux(world, async (tmux) => {
      const { shown, answer } = typist(world, tmux, ["campaign", "brainstorm"]);
      await answer("Let the agent draft suggestions (one session)?", "yes");
      await answer("Describe the goal", "Adding numbers");
      await answer("1. Slug, a short name [adder]:", "");
      expect(sessions()).toEqual(["verifier:drafter  opus"]);
      expect(prompt("verifier-1")).toMatch(/Adding numbers[^]*src\/main\.ts[^]*Facts\./);
      await answer("2. Objective [It adds \\u{1b}[31mnumbers]:", "Sums");
      await answer("US-001, title [Adding]:", "");
      await answer("US-001 AC1 [`add(1, 2)` returns 3]:", "");
      await answer("US-001 AC2 [`add` throws for text]:", "`add` throws for 1 text");
      await answer("US-001 AC3:", "");
      await answer("US-002, title [Fluff]:", "-");
      await answer("US-002, title [Taking away]:", "Subtracting");
      await answer("US-002 AC1 [`sub(2, 1)` returns 1]:", "");
      await answer("US-002 AC2:", "");
      await answer("US-003, title:", "");
      await answer("story or all:", "");
      await until(() => shown().includes("Write story or all."));
      await answer("story or all:", "all");
      await answer("command 1 [node --test]:", "");
      await answer("command 2", ".");
      await answer("6. Complete when [Both work.]:", "");
      await answer("Blocked when [Nobody knows how to add.]:", "");
      await answer("7. Worker model [sonnet]:", "");
      await answer("Verifier model [opus]:", "");
      await answer("8. Max iterations [7]:", "");
      await until(() => shown().includes("Write these files?"));
      expect(world.has("relais/campaigns/adder")).toBe(false);
      await answer("Write these files?", "yes");
      await until(() => world.has("relais/campaigns/adder/context-latest.md"));
      const prd = world.read("relais/campaigns/adder/prd.md");
      expect(prd).toMatch(/Sums[^]*US-001: Adding[^]*throws for 1 text[^]*US-002: Subtracting[^]*unit: all/);
      expect(prd).not.toMatch(/Fluff|nice/);
      expect(JSON.parse(world.read("relais/STATE.json")).budgets).toMatchObject({ reviewer_calls: 1 });
    });
  }),
);

test.runIf(hasTmux)("a draft that cannot be used is said in a sentence, and the usual suggestions follow", () =>
  inCampaignWorld(
    {
      config: { campaign: { poll_interval_seconds: 0.01, iteration_timeout_seconds: 2 } },
      verifier: '. "$box/act"',
    },
    async ({ world, sessions }) => {
      writeFileSync(join(world.box, "draft.json"), JSON.stringify(DRAFT));
      const leave = 'cp "$box/draft.json" "$RELAIS_RESULT_PATH"';
      const acts: readonly (readonly [string, RegExp])[] = [
        [`echo '{"slug":"x"}' > "$RELAIS_RESULT_PATH"`, /No usable draft \(.*objective/],
        [`${leave}; echo more >> src/main.ts; echo > stray.txt`, /The repository changed during the review/],
        ["sleep 60", /It timed out/],
      ];
      await withTmux(world, async (tmux) => {
        for (const [act, words] of acts) {
          writeFileSync(join(world.box, "act"), act);
          const { shown, press } = typist(world, tmux, ["campaign", "brainstorm", "A thing", "--draft"]);
          await until(() => shown().includes("1. Slug, a short name [a-thing]:"));
          expect(shown()).toMatch(words);
          expect(shown()).toContain("using the default suggestions.");
          press("C-c");
          await until(() => shown().includes("nothing was written"));
          expect(world.git("status", "--porcelain")).toBe("");
        }
        expect(sessions()).toHaveLength(acts.length);
        // A draft is paid from the same budgets, and where they are used up nobody is asked.
        writeFileSync(join(world.box, "act"), leave);
        const config = JSON.parse(world.read("relais.config.json"));
        const budgets = { per_milestone: { max_reviewer_calls: acts.length } };
        world.put({ "relais.config.json": JSON.stringify({ ...config, budgets }) });
        world.git("commit", "-qam", "less");
        const { shown } = typist(world, tmux, ["campaign", "brainstorm", "A thing", "--draft"]);
        await until(() => shown().includes("1. Slug, a short name [a-thing]:"));
        expect(shown()).toMatch(/No usable draft \(.*max_reviewer_calls/);
        expect(sessions()).toHaveLength(acts.length);
      });
    },
  ),
);

test.runIf(hasTmux)("a scripted driver drafts too, and a key ends a draft that takes too long", () =>
  inCampaignWorld({}, async ({ world }) => {
    const play = (steps: readonly object[]) => {
      mkdirSync(join(world.root, "tools"), { recursive: true });
      const script = { steps: [], reviewers: { drafter: steps } };
      const builder = { default_mode: "scripted", scripted: { script: "tools/draft.json" } };
      world.put({
        "tools/draft.json": JSON.stringify(script),
        "relais.config.json": JSON.stringify({ builder }),
      });
      world.git("add", "-A");
      world.git("commit", "-qm", "a script");
    };
    await withTmux(world, async (tmux) => {
      play([{ do: "result", content: DRAFT }]);
      const first = typist(world, tmux, ["campaign", "brainstorm", "A thing", "--draft"]);
      await until(() => first.shown().includes("1. Slug, a short name [adder]:"));
      play([{ do: "run", argv: ["sleep", "120"] }]);
      const second = typist(world, tmux, ["campaign", "brainstorm", "A thing", "--draft"]);
      const log = () => readFileSync(join(world.state(), "journal.jsonl"), "utf8");
      await until(() => (log().match(/review_started/g) ?? []).length === 2);
      second.press("C-c");
      await until(() => /interrupted/.test(log()) && second.shown().includes("nothing was written"));
      expect(world.git("status", "--porcelain")).toBe("");
    });
  }),
);

test("what a draft is can be said to every agent", () => {
  expect(adaptCodexSchema(readShippedSchema("campaign_draft"))).not.toBeNull();
});

test("a contract that its Markdown would not keep is refused, and so is a draft without questions", () =>
  inCampaignWorld({}, async ({ world }) => {
    const [first] = CONTRACT.stories;
    const title = "One\n\n### US-009: Smuggled";
    const stories = [{ ...first, title }];
    for (const part of [{ stories }, { objective: "More\n\n## Settings\n- iteration unit: all" }]) {
      world.put({ "../bad.json": JSON.stringify({ ...CONTRACT, slug: "bad", ...part }) });
      const ran = await world.relais(["campaign", "brainstorm", "--from", "../bad.json", "--yes"]);
      expect([ran.status, ran.stderr]).toEqual([10, expect.stringContaining("must be one line each")]);
    }
    expect(world.has("relais/campaigns/bad")).toBe(false);
    const both = await world.relais(["campaign", "brainstorm", "--draft", "--from", "../bad.json"]);
    expect([both.status, both.stderr]).toEqual([2, expect.stringContaining("--draft and --from exclude each other")]);
  }));
