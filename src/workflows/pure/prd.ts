import type { CampaignContract, CampaignStory, CampaignCommand } from "../../records/campaign.ts";
import { joinCommand, splitCommand } from "./split-command.ts";

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

/**
 * Reads the Markdown of a contract. People edit it, so the order of headings is free; but a line that looks like a
 * story, a criterion, a setting or a command and is not valid is a problem, never skipped.
 */

export interface ReadPrd {
  readonly contract: Omit<CampaignContract, "commands">;
  readonly problems: readonly string[];
}

/** By heading of the second level, without comments. */
function splitSections(text: string): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  for (const line of text.replaceAll(/<!--[^]*?-->/gu, "").split(/\r?\n/u)) {
    const heading = /^##\s+(.+?)\s*$/u.exec(line)?.[1];
    if (heading === undefined) current.push(line);
    else {
      current = sections.get(heading.toLowerCase()) ?? [];
      sections.set(heading.toLowerCase(), current);
    }
  }
  return sections;
}

const joinParagraph = (lines: readonly string[] | undefined): string => (lines ?? []).join("\n").trim();

export function readPrd(text: string, slug: string): ReadPrd {
  const sections = splitSections(text);
  const problems: string[] = [];
  const stories = readStories(sections.get("stories") ?? [], problems);
  const settings = readSettings(sections.get("settings") ?? [], problems);
  return {
    contract: {
      slug,
      objective: joinParagraph(sections.get("objective")),
      stories,
      complete_when: joinParagraph(sections.get("complete when")),
      blocked_when: joinParagraph(sections.get("blocked when")),
      ...settings,
    },
    problems,
  };
}

interface StoryDraft {
  readonly id: string;
  readonly title: string;
  readonly criteria: { id: string; text: string }[];
}

function readStories(lines: readonly string[], problems: string[]): CampaignStory[] {
  const stories: StoryDraft[] = [];
  for (const line of lines) {
    if (line.startsWith("#")) {
      const [, id, title] = /^###\s+(US-\d{3}):\s+(.+?)\s*$/u.exec(line) ?? [];
      if (id === undefined || title === undefined)
        problems.push(`"${line.trim()}" is no story: write \`### US-001: title\`.`);
      else stories.push({ id, title, criteria: [] });
    } else if (BULLET.test(line)) addCriterion(line, stories.at(-1), problems);
  }
  return stories;
}

const BULLET = /^\s*[-*]\s/u;

function addCriterion(line: string, story: StoryDraft | undefined, problems: string[]): void {
  const [, id, text] = /^\s*[-*]\s+(AC\d{1,3}):\s+(.+?)\s*$/u.exec(line) ?? [];
  if (id === undefined || text === undefined || story === undefined)
    problems.push(`"${line.trim()}" is no criterion of a story: write \`- AC1: ...\` below its heading.`);
  else story.criteria.push({ id, text });
}

type PrdSettings = Pick<CampaignContract, "iteration_unit" | "worker_model" | "verifier_model" | "max_iterations">;

function readSettings(lines: readonly string[], problems: string[]): PrdSettings {
  const given = readGivenSettings(lines, problems);
  const unit = given.get("iteration unit") ?? "?";
  if (!["story", "all", "?"].includes(unit)) problems.push(`iteration unit: "${unit}" is neither story nor all.`);
  return {
    iteration_unit: unit === "story" || unit === "all" ? unit : null,
    worker_model: given.get("worker model") ?? null,
    verifier_model: given.get("verifier model") ?? null,
    max_iterations: readIterations(given.get("max iterations"), problems),
  };
}

function readIterations(max: string | undefined, problems: string[]): number | null {
  if (max === undefined) return null;
  if (/^[1-9]\d{0,4}$/u.test(max)) return Number(max);
  problems.push(`max iterations: "${max}" is no number of iterations.`);
  return null;
}

function readGivenSettings(lines: readonly string[], problems: string[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (const line of lines.filter((one) => one.trim() !== "")) {
    const [, name = "", value = ""] = /^\s*[-*]\s+([a-z ]+):\s*(.*?)\s*$/u.exec(line) ?? [];
    if (!SETTINGS.includes(name)) problems.push(`"${line.trim()}" is no setting; there are ${SETTINGS.join(", ")}.`);
    else if (value !== "-" && value !== "") given.set(name, value);
  }
  return given;
}

const SETTINGS: readonly string[] = ["iteration unit", "worker model", "verifier model", "max iterations"];

export function readTestSpec(text: string): {
  readonly commands: readonly CampaignCommand[];
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const commands: CampaignCommand[] = [];
  for (const line of splitSections(text).get("commands") ?? []) {
    if (!BULLET.test(line)) continue;
    const [, id = "", words = ""] = /^\s*[-*]\s+([a-z][a-z0-9_-]{0,39}):\s+(.+?)\s*$/u.exec(line) ?? [];
    const split = splitCommand(words.replace(/^`(.*)`$/u, "$1"));
    if (id === "") problems.push(`"${line.trim()}" is no command: write \`- test: npm test\`.`);
    else if (split.kind === "refused") problems.push(`The command ${id} cannot be run: ${split.reason}.`);
    else commands.push({ id, argv: [...split.argv] });
  }
  return { commands, problems };
}

/** A person approves the files, so they must say what the contract says. */
export function readsBack(contract: CampaignContract): boolean {
  const { contract: again, problems } = readPrd(writePrd(contract), contract.slug);
  const spec = readTestSpec(testSpecText(contract));
  const isUnderstood = problems.length === 0 && spec.problems.length === 0;
  return isUnderstood && serialiseContract(contract) === serialiseContract({ ...again, commands: [...spec.commands] });
}

function serialiseContract({
  objective,
  stories,
  complete_when,
  blocked_when,
  commands,
  ...rest
}: CampaignContract): string {
  const told = stories.map(({ id, title, criteria }) => [
    id,
    title.trim(),
    ...criteria.map((one) => `${one.id} ${one.text.trim()}`),
  ]);
  const settings = [rest.iteration_unit, rest.worker_model, rest.verifier_model, rest.max_iterations];
  const run = commands.map(({ id, argv }) => [id, ...argv]);
  return JSON.stringify([objective.trim(), told, complete_when.trim(), blocked_when.trim(), settings, run]);
}
