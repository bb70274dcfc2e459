import type { CampaignContract, CampaignStory } from "../../contract/workflows/campaign.ts";
import { joinCommand } from "./split-command.ts";

/** `prd.md`. An undecided value is a question mark, and a campaign cannot start with one. */
export function writePrd(contract: Omit<CampaignContract, "commands">): string {
  const { slug, objective, stories, complete_when, blocked_when } = contract;
  return [
    `# ${slug}: PRD`,
    "",
    "## Objective",
    "",
    objective,
    "",
    "## Stories",
    "",
    ...stories.flatMap(writeStoryLines),
    "## Complete when",
    "",
    complete_when,
    "",
    "## Blocked when",
    "",
    blocked_when,
    "",
    "## Settings",
    "",
    "<!-- iteration unit: story (one story per iteration) or all (every story at once) -->",
    `- iteration unit: ${contract.iteration_unit ?? "?"}`,
    `- worker model: ${contract.worker_model ?? "-"}`,
    `- verifier model: ${contract.verifier_model ?? "-"}`,
    `- max iterations: ${contract.max_iterations ?? "-"}`,
    "",
  ].join("\n");
}

function writeStoryLines({ id, title, criteria }: CampaignStory): readonly string[] {
  return [`### ${id}: ${title}`, "", ...criteria.map((one) => `- ${one.id}: ${one.text}`), ""];
}

/** `test-spec.md`. */
export function testSpecText({ slug, commands }: Pick<CampaignContract, "slug" | "commands">): string {
  return [
    `# ${slug}: test spec`,
    "",
    "<!-- The runner runs each of these itself, without a shell, before each verification. A red one is never a pass. -->",
    "",
    "## Commands",
    "",
    ...commands.map(({ id, argv }) => `- ${id}: \`${joinCommand(argv)}\``),
    "",
  ].join("\n");
}
