import type { CampaignContract } from "../../src/records/campaign.ts";

/** A small campaign of two stories. */
export const CONTRACT: CampaignContract = {
  slug: "lines",
  objective: "Lines in main.ts",
  stories: [
    { id: "US-001", title: "The first line", criteria: [{ id: "AC1", text: "`src/main.ts` has a line 1" }] },
    { id: "US-002", title: "The second line", criteria: [{ id: "AC1", text: "`src/main.ts` has a line 2" }] },
  ],
  iteration_unit: "story",
  commands: [{ id: "there", argv: ["test", "-f", "src/main.ts"] }],
  complete_when: "Both lines are there.",
  blocked_when: "Somebody else has to decide.",
  worker_model: null,
  verifier_model: null,
  max_iterations: null,
};
