/**
 * Thinks a campaign through with a person, item by item, and writes nothing until they approve.
 *
 * Everything has a suggestion that an empty answer takes, but for the iteration unit: how much one worker does at once
 * decides how the whole campaign goes, so it is never taken silently.
 */
import { isAbsolute, resolve } from "node:path";
import { CampaignContract, CampaignSlug, type CampaignStory } from "../../contract/campaign.ts";
import type { Config } from "../../contract/config.ts";
import { parseWith } from "../../contract/schema-error.ts";
import { contractProblems, criterionProblem } from "../../core/campaign/lint-contract.ts";
import { prdText, testSpecText } from "../../core/campaign/prd-text.ts";
import { splitCommand } from "../../core/campaign/split-command.ts";
import {
  recommendedUnit,
  suggestedCommands,
  suggestedIterations,
  suggestedSlug,
} from "../../core/campaign/suggestions.ts";
import { openPerson, type Person } from "../../io/ask-person.ts";
import { readBounded } from "../../io/bounded-file.ts";
import type { Unready } from "../ground.ts";
import { refused, type Refused } from "../refused.ts";
import { findTreePlace } from "../tree/tree-place.ts";
import { initCampaign, type MadeCampaign } from "./init-campaign.ts";

export interface BrainstormRequest {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly description: string | null;
  /** A JSON file with all answers; null asks a person. */
  readonly from: string | null;
  readonly isApproved: boolean;
  /** How a text that others may have written is shown. */
  readonly show: (text: string) => string;
}

interface Misused {
  readonly kind: "misused";
  readonly message: string;
  readonly problems: readonly string[];
}

/** What was thought through and shown, and is not approved. */
interface Unapproved {
  readonly kind: "unapproved";
  readonly contract: CampaignContract;
  readonly text: string;
}

export type BrainstormAnswer = MadeCampaign | Unapproved | Misused | Refused | Unready;

export async function brainstormCampaign(request: BrainstormRequest): Promise<BrainstormAnswer> {
  const place = await findTreePlace(request.cwd);
  if (place.kind === "blocked") return place;
  const person = openPerson(request.signal);
  try {
    if (request.from !== null) return await fromFile(request, request.from, person);
    if (person === null)
      return misused("it asks a person, and there is no terminal here: bring the answers with --from FILE");
    const contract = await thinkThrough(person, place.config, request);
    return contract === null
      ? misused("it was left before the end; nothing was written")
      : await settle(request, contract, person);
  } finally {
    person?.leave();
  }
}

const misused = (message: string, problems: readonly string[] = []): Misused => ({
  kind: "misused",
  message,
  problems,
});

const FILE_BYTES_MAX = 256 * 1024;

async function fromFile(
  request: BrainstormRequest,
  file: string,
  person: Person | null,
): Promise<BrainstormAnswer> {
  const read = await readBounded(isAbsolute(file) ? file : resolve(request.cwd, file), FILE_BYTES_MAX);
  if (read.kind !== "read")
    return misused(`--from: ${file}: ${read.kind === "missing" ? "there is no such file" : read.reason}`);
  const parsed = parseWith(CampaignContract, json(read.data.toString("utf8")));
  if (parsed.kind === "invalid")
    return misused(
      `--from: ${file} is no contract`,
      parsed.problems.map(({ message }) => message),
    );
  return settle(request, parsed.value, person);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Shows the contract, and makes the campaign only where it is approved. */
async function settle(
  request: BrainstormRequest,
  contract: CampaignContract,
  person: Person | null,
): Promise<BrainstormAnswer> {
  const problems = contractProblems(contract);
  if (problems.length > 0)
    return refused({
      cause: "contract_unfinished",
      message: "The contract cannot be worked on like this; nothing was written.",
      paths: problems,
      next: "Mend it and begin again.",
    });
  const text = `${prdText(contract)}\n${testSpecText(contract)}`;
  if (request.isApproved) return initCampaign(request.cwd, contract);
  if (person === null) return { kind: "unapproved", contract, text };
  person.say(`\n${request.show(text)}\n`);
  const answer = await person.ask("Write these files? yes or no", "no");
  return /^y(?:es)?$/iu.test(answer ?? "")
    ? initCampaign(request.cwd, contract)
    : { kind: "unapproved", contract, text };
}

/** Asks again until the answer is one; null once the person is gone. */
async function askUntil<T>(
  ask: () => Promise<string | null>,
  read: (answer: string) => T | string,
  say: (text: string) => void,
) {
  for (;;) {
    const answer = await ask();
    if (answer === null) return null;
    const value = read(answer);
    if (typeof value !== "string") return value;
    say(`  ${value}\n`);
  }
}

const given = (answer: string): { text: string } | string =>
  answer === "" ? "Say something." : { text: answer };

async function thinkThrough(
  person: Person,
  config: Config,
  { description }: BrainstormRequest,
): Promise<CampaignContract | null> {
  const { ask, say } = person;
  const slug = await askUntil(
    () => ask("1. Slug, a short name", suggestedSlug(description ?? "")),
    (answer) =>
      parseWith(CampaignSlug, answer).kind === "valid" ? { text: answer } : "Small letters, digits and -.",
    say,
  );
  const objective =
    slug &&
    (await askUntil(() => ask("2. Objective, what it achieves", description ?? undefined), given, say));
  const stories = objective && (await askStories(person));
  const unit = stories && (await askUnit(person, stories.length));
  const commands = unit && (await askCommands(person, config));
  if (!slug || !objective || !stories || !unit || !commands) return null;
  const rest = await askRest(person, config, stories.length);
  if (rest === null) return null;
  return {
    slug: slug.text,
    objective: objective.text,
    stories,
    iteration_unit: unit.unit,
    commands,
    ...rest,
  };
}

async function askStories({ ask, say }: Person): Promise<CampaignStory[] | null> {
  say("3. Stories, each with acceptance criteria that can be checked. An empty line ends a list.\n");
  const stories: CampaignStory[] = [];
  for (;;) {
    const id = `US-${String(stories.length + 1).padStart(3, "0")}`;
    const title = await ask(`   ${id}, title`);
    if (title === null) return null;
    if (title === "" && stories.length > 0) return stories;
    if (title === "") continue;
    const criteria = await askCriteria({ ask, say }, id);
    if (criteria === null) return null;
    stories.push({ id, title, criteria });
  }
}

async function askCriteria({ ask, say }: Pick<Person, "ask" | "say">, story: string) {
  const criteria: CampaignStory["criteria"] = [];
  for (;;) {
    const id = `AC${criteria.length + 1}`;
    const text = await ask(`   ${story} ${id}`);
    if (text === null) return null;
    if (text === "" && criteria.length > 0) return criteria;
    const problem = criterionProblem(text);
    if (problem === null) criteria.push({ id, text });
    else say(`   Nobody can check that: ${problem}.\n`);
  }
}

async function askUnit({ ask, say }: Person, stories: number) {
  say(
    "4. Iteration unit. story: one story per iteration, verified one by one. all: every story at once, faster.\n",
  );
  say(`   Recommended here: ${recommendedUnit(stories)}. This one is not taken silently.\n`);
  return askUntil(
    () => ask("   story or all"),
    (answer): { unit: "story" | "all" } | string =>
      answer === "story" || answer === "all" ? { unit: answer } : "Write story or all.",
    say,
  );
}

async function askCommands(
  { ask, say }: Person,
  config: Config,
): Promise<CampaignContract["commands"] | null> {
  say(
    "5. Verification commands that the runner runs itself, without a shell. An empty line ends the list; - skips one.\n",
  );
  const suggested = suggestedCommands(config);
  const commands: CampaignContract["commands"] = [];
  for (let index = 0; ; index += 1) {
    const idea = suggested[index];
    const line = await ask(`   command ${commands.length + 1}`, idea?.line);
    if (line === null) return null;
    if (line === "" && commands.length > 0) return commands;
    if (line === "-") continue;
    const split = splitCommand(line);
    if (split.kind === "argv")
      commands.push({
        id: idea?.line === line ? idea.id : `check-${commands.length + 1}`,
        argv: [...split.argv],
      });
    else say(`   That cannot be run: ${split.reason}.\n`);
  }
}

type Rest = Pick<
  CampaignContract,
  "complete_when" | "blocked_when" | "worker_model" | "verifier_model" | "max_iterations"
>;

async function askRest({ ask, say }: Person, { campaign }: Config, stories: number): Promise<Rest | null> {
  const complete = await ask("6. Complete when", "All stories are verified.");
  const blocked = complete && (await ask("   Blocked when", "Nothing more can be done without a person."));
  const worker = blocked && (await ask("7. Worker model", campaign.worker_model));
  const verifier = worker && (await ask("   Verifier model", campaign.verifier_model));
  if (!complete || !blocked || !worker || !verifier) return null;
  const max = await askUntil(
    () => ask("8. Max iterations", String(suggestedIterations(stories))),
    (answer) => (/^[1-9]\d{0,3}$/u.test(answer) ? { count: Number(answer) } : "A whole number, 1 or more."),
    say,
  );
  if (max === null) return null;
  return {
    complete_when: complete,
    blocked_when: blocked,
    // The suggestion is what the rules would choose anyway, and leaves them free to choose more after a failure.
    worker_model: worker === campaign.worker_model ? null : worker,
    verifier_model: verifier === campaign.verifier_model ? null : verifier,
    max_iterations: max.count,
  };
}
