/** What a world works on: a goal, a campaign, a tree. */
import type { CampaignSettings } from "../../../src/records/campaign.ts";
import type { GoalSettings } from "../../../src/records/goal.ts";
import { writeTree } from "../../../src/workflows/pure/tree-nodes.ts";
import { makeNode } from "./agent-answers.ts";
import { readModelConfig, REVIEWERS } from "./model-config.ts";
import type { World } from "./world.ts";

const FIRST = "1".padStart(40, "c");

export function makeGoal(world: World): GoalSettings {
  const quorum = Math.min(REVIEWERS.length, Math.max(1, world.plan.quorum));
  return {
    objective: "reach it",
    criteria: null,
    max_turns: 4,
    review_quorum: quorum,
    reviewers: [...REVIEWERS],
    blocker_threshold: 2,
    base: { ref: "the beginning", commit: FIRST },
  };
}

const story = (id: string) => ({ id, title: id, criteria: [{ id: "AC1", text: "it works" }] });

export function makeCampaign(world: World): CampaignSettings {
  const { campaign } = readModelConfig(world).config;
  return {
    slug: "model",
    objective: "reach it",
    stories: [story("US-001"), story("US-002")],
    iteration_unit: world.plan.seed % 3 === 0 ? "all" : "story",
    commands: [{ id: "test", argv: ["true"] }],
    complete_when: "done",
    blocked_when: "stuck",
    verify_mode: world.plan.seed % 5 === 0 ? "batch" : "per-story",
    max_iterations: 8,
    worker_model: null,
    verifier_model: null,
    verifiers: ["verifier", "second"].slice(0, campaign.verifiers),
    limits: { ...campaign.breakers, max_restarts: campaign.max_restarts },
    base: FIRST,
  };
}

/** The first commit of every world. */
export function layOut(world: World): void {
  const model = world.repository;
  const tree = writeTree({ version: 1, root: makeNode("root", [makeNode("one"), makeNode("two")]) });
  model.files = new Map([
    ["src/a.ts", "a as it was"],
    ["src/b.ts", "b as it was"],
    ["secret/key", "a secret"],
    ["relais.config.json", "config"],
    ["relais/GOAL.md", "goal"],
    ["relais/tree.json", tree],
  ]);
  model.commit("person", model.files, null);
}
