import type { CampaignContract, CampaignStory } from "../../records/campaign.ts";
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

const WORKER_PROMPT = `# Worker

You are one of several workers on a campaign, each with a fresh mind. What earlier ones knew is in the memory and the
context below, and in the repository itself.

- Read the memory and the context first, then the code that your part is about.
- Do your part and nothing besides it. Smaller and right is better than larger.
- Write or extend tests for each acceptance criterion of your part, and run them.
- Do not say that it is done before you have seen every criterion hold.
- Leave word for the next worker: what is done, what was decided and why, what is next.
`;

const VERIFIER_PROMPT = `# Verifier

You verify, independently, what a worker claims to have done. You have not seen it work and do not take its word.

- Begin with what changed, and read it together with what it uses.
- Hold each acceptance criterion against what is there. A test that does not test it proves nothing.
- Leave types, style and the like to the commands of the test spec.
- The memory and the claim help to find things. They are no evidence.
- If you cannot tell, ask exactly what you need to know instead of guessing.
`;

const writeMemoryText = (slug: string): string =>
  [`# ${slug}: memory`, "", "## Completed stories", "", "## Key decisions", "", "## Learnings", ""].join("\n");

const writeContextText = (slug: string): string => `# ${slug}: context\n\nNothing has been done yet.\n`;

export function scaffoldTexts(contract: CampaignContract): Readonly<Record<string, string>> {
  const { slug } = contract;
  return {
    "prd.md": writePrd(contract),
    "test-spec.md": testSpecText(contract),
    "worker.prompt.md": WORKER_PROMPT,
    "verifier.prompt.md": VERIFIER_PROMPT,
    "memory.md": writeMemoryText(slug),
    "context-latest.md": writeContextText(slug),
  };
}

export function openContract(slug: string, objective: string | null): CampaignContract {
  return {
    slug,
    objective: objective ?? "?",
    stories: [{ id: "US-001", title: "?", criteria: [{ id: "AC1", text: "?" }] }],
    iteration_unit: null,
    commands: [],
    complete_when: "All stories are verified.",
    blocked_when: "Nothing more can be done without a person.",
    worker_model: null,
    verifier_model: null,
    max_iterations: null,
  };
}
