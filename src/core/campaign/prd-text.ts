/** The contract of a campaign as the Markdown that people read and edit. */
import type { CampaignContract, CampaignStory } from "../../contract/workflows/campaign.ts";
import { joinCommand } from "./split-command.ts";

/** `prd.md`. Whatever is not decided yet stands there as a question mark, which a campaign cannot begin with. */
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
    ...stories.flatMap(storyLines),
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

function storyLines({ id, title, criteria }: CampaignStory): readonly string[] {
  return [`### ${id}: ${title}`, "", ...criteria.map((one) => `- ${one.id}: ${one.text}`), ""];
}

/** `test-spec.md`: the commands that the runner runs itself before each verification. */
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
