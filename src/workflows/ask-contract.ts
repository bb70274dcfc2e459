/**
 * Asks a person everything that a campaign needs, item by item.
 *
 * Everything has a suggestion that an empty answer takes, but for the iteration unit: how much one worker does at once
 * decides how the whole campaign goes, so it is never taken silently.
 */
import { type CampaignContract, CampaignSlug, type CampaignStory } from "../records/campaign.ts";
import type { Config } from "../config/config.ts";
import { parseWith } from "../base/schema-error.ts";
import { findCriterionProblem } from "./pure/lint-contract.ts";
import { splitCommand } from "./pure/split-command.ts";
import { recommendUnit, type Suggestions } from "./pure/suggestions.ts";
import type { Person } from "../system/open-person.ts";

class PersonLeft extends Error {}

interface ContractContext {
  readonly config: Config;
  readonly isTaken: (slug: string) => boolean;
}

/** Null if the person leaves before the last answer. */
export async function askContract(
  person: Person,
  known: ContractContext,
  suggestions: Suggestions,
): Promise<CampaignContract | null> {
  try {
    return await askEverything(person, known, suggestions);
  } catch (error) {
    if (error instanceof PersonLeft) return null;
    throw error;
  }
}

async function requireAnswer(answer: Promise<string | null>): Promise<string> {
  const text = await answer;
  if (text === null) throw new PersonLeft();
  return text;
}

async function askUntil<T extends object>(
  ask: () => Promise<string | null>,
  read: (answer: string) => T | string,
  say: (text: string) => void,
): Promise<T> {
  for (;;) {
    const value = read(await requireAnswer(ask()));
    if (typeof value !== "string") return value;
    say(`  ${value}\n`);
  }
}

const requireText = (answer: string): { text: string } | string =>
  answer === "" ? "Please answer." : { text: answer };

function readFreeSlug(answer: string, { isTaken }: ContractContext): { text: string } | string {
  if (parseWith(CampaignSlug, answer).kind !== "valid") return "Use lower-case letters, digits and -.";
  return isTaken(answer) ? "This campaign exists already." : { text: answer };
}

async function askEverything(person: Person, known: ContractContext, ideas: Suggestions): Promise<CampaignContract> {
  const { ask, say } = person;
  const { config } = known;
  const slug = await askUntil(
    () => ask("1. Slug, a short name", ideas.slug),
    (answer) => readFreeSlug(answer, known),
    say,
  );
  const objective = await askUntil(() => ask("2. Objective", ideas.objective), requireText, say);
  const stories = await askStories(person, ideas.stories);
  const { unit } = await askUnit(person, stories.length);
  return {
    slug: slug.text,
    objective: objective.text,
    stories,
    iteration_unit: unit,
    commands: await askCommands(person, ideas.commands),
    ...(await askRest(person, config, { ideas, stories: stories.length })),
  };
}

/** An empty answer takes a suggestion, so this one drops it. */
const LEAVE_OUT = "-";

async function askStories({ ask, say }: Person, suggested: Suggestions["stories"]): Promise<CampaignStory[]> {
  say("3. Stories, each with checkable acceptance criteria. An empty line ends a list.\n");
  if (suggested.length > 0) say(`   An empty line accepts a suggestion; ${LEAVE_OUT} drops it.\n`);
  const ideas = [...suggested];
  const stories: CampaignStory[] = [];
  for (;;) {
    const idea = ideas.shift();
    const id = `US-${String(stories.length + 1).padStart(3, "0")}`;
    const title = await requireAnswer(ask(`   ${id}, title`, idea?.title));
    if (title === "" && stories.length > 0) return stories;
    if (title === "" || title === LEAVE_OUT) continue;
    const criteria = await askCriteria({ ask, say }, id, idea?.criteria ?? []);
    stories.push({ id, title, criteria });
  }
}

async function askCriteria({ ask, say }: Pick<Person, "ask" | "say">, story: string, suggested: readonly string[]) {
  const ideas = [...suggested];
  const criteria: CampaignStory["criteria"] = [];
  for (;;) {
    const id = `AC${criteria.length + 1}`;
    const text = await requireAnswer(ask(`   ${story} ${id}`, ideas.shift()));
    if (text === "" && criteria.length > 0) return criteria;
    if (text === LEAVE_OUT) continue;
    const problem = findCriterionProblem(text);
    if (problem === null) criteria.push({ id, text });
    else say(`   Not checkable: ${problem}.\n`);
  }
}

async function askUnit({ ask, say }: Person, stories: number) {
  say("4. Iteration unit. story: one story per iteration, verified one by one. all: every story at once, faster.\n");
  say(`   Recommended here: ${recommendUnit(stories)}. Please choose.\n`);
  return askUntil(
    () => ask("   story or all"),
    (answer): { unit: "story" | "all" } | string =>
      answer === "story" || answer === "all" ? { unit: answer } : "Write story or all.",
    say,
  );
}

async function askCommands(
  { ask, say }: Person,
  suggested: Suggestions["commands"],
): Promise<CampaignContract["commands"]> {
  say("5. Verification commands; relais runs them without a shell. A dot ends the list.\n");
  const ideas = [...suggested];
  const commands: CampaignContract["commands"] = [];
  for (;;) {
    const [idea] = ideas;
    const line = await requireAnswer(ask(`   command ${commands.length + 1}`, idea?.line));
    if (END.includes(line) && commands.length > 0) return commands;
    const split = splitCommand(END.includes(line) ? "" : line);
    if (line === LEAVE_OUT) ideas.shift();
    else if (split.kind === "refused") say(`   Not a command: ${split.reason}.\n`);
    else {
      const wanted = idea?.line === line ? idea.id : `check-${commands.length + 1}`;
      commands.push({ id: chooseFreeId(wanted, commands), argv: [...split.argv] });
      ideas.shift();
    }
  }
}

const END: readonly string[] = ["", "."];

/** Two commands of the same name would make the whole contract invalid. */
function chooseFreeId(wanted: string, commands: CampaignContract["commands"]): string {
  const isTaken = (id: string): boolean => commands.some((command) => command.id === id);
  let id = wanted;
  for (let number = 2; isTaken(id); number += 1) id = `${wanted.slice(0, 36)}-${number}`;
  return id;
}

type ContractRest = Pick<
  CampaignContract,
  "complete_when" | "blocked_when" | "worker_model" | "verifier_model" | "max_iterations"
>;

async function askRest(
  { ask, say }: Person,
  { campaign }: Config,
  { ideas, stories }: { readonly ideas: Suggestions; readonly stories: number },
): Promise<ContractRest> {
  const complete = await requireAnswer(ask("6. Complete when", ideas.completeWhen));
  const blocked = await requireAnswer(ask("   Blocked when", ideas.blockedWhen));
  const worker = await requireAnswer(ask("7. Worker model", campaign.worker_model));
  const verifier = await requireAnswer(ask("   Verifier model", campaign.verifier_model));
  const max = await askUntil(
    () => ask("8. Max iterations", String(ideas.iterations(stories))),
    (answer) => (/^[1-9]\d{0,3}$/u.test(answer) ? { count: Number(answer) } : "Enter a whole number, 1 or more."),
    say,
  );
  return {
    complete_when: complete,
    blocked_when: blocked,
    // Null leaves the rules free to choose a larger model after a failure.
    worker_model: worker === campaign.worker_model ? null : worker,
    verifier_model: verifier === campaign.verifier_model ? null : verifier,
    max_iterations: max.count,
  };
}
