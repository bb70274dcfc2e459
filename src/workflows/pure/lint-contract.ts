/**
 * Problems of a contract. A campaign runs for hours unattended, so everything that would fail then is found before:
 * stories without a clear end, ambiguous names, and criteria that nobody can check.
 */
import { CampaignContract, type CampaignStory } from "../../records/campaign.ts";
import { parseWith } from "../../base/schema-error.ts";

/** One sentence for each problem. */
export function findContractProblems(contract: CampaignContract): readonly string[] {
  const { stories, commands, iteration_unit, objective } = contract;
  const parsed = parseWith(CampaignContract, contract);
  return [
    ...(isOpen(objective) ? ["The objective is missing."] : []),
    ...(stories.length === 0 ? ["There is no story."] : []),
    ...listRepeated(stories.map(({ id }) => id)).map((id) => `The story ${id} is there twice.`),
    ...stories.flatMap(findStoryProblems),
    ...(iteration_unit === null
      ? ["The iteration unit is not chosen: `story` is one story per iteration, `all` is every story at once."]
      : []),
    ...(commands.length === 0 ? ["The test spec has no command, so the runner could check nothing itself."] : []),
    ...listRepeated(commands.map(({ id }) => id)).map((id) => `The command ${id} is there twice.`),
    ...(parsed.kind === "invalid" && !isOpen(objective) ? parsed.problems.map(({ message }) => `${message}.`) : []),
  ];
}

function findStoryProblems({ id, title, criteria }: CampaignStory): readonly string[] {
  return [
    ...(isOpen(title) ? [`The story ${id} has no title.`] : []),
    ...(criteria.length === 0 ? [`The story ${id} has no acceptance criteria.`] : []),
    ...listRepeated(criteria.map((one) => one.id)).map((one) => `The criterion ${id} ${one} is there twice.`),
    ...criteria.flatMap((one) => {
      const problem = findCriterionProblem(one.text);
      return problem === null ? [] : [`Nobody can check ${id} ${one.id}: ${problem}.`];
    }),
  ];
}

/** A placeholder. */
function isOpen(text: string): boolean {
  return text.trim() === "" || /^(?:\?+|\.{3}|…|tbd|todo|<.*>)$/iu.test(text.trim());
}

const VAGUE =
  /\b(?:good|nice|clean|better|best|great|proper(?:ly)?|correct(?:ly)?|appropriate(?:ly)?|reasonable|reasonably|robust|fast|quick(?:ly)?|efficient(?:ly)?|user[- ]friendly|intuitive|easy|simple|seamless(?:ly)?|modern|high[- ]quality|well|works?|etc)\b/iu;
/** Something that can be checked: a number, code, a quotation, a path. */
const ANCHOR = /\d|`[^`]+`|"[^"]+"|'[^']+'|“[^”]+”|\w+[./]\w+|==|->/u;
const LEAST_WORDS = 3;

/** Without a full stop; null if the criterion can be checked. */
export function findCriterionProblem(text: string): string | null {
  if (isOpen(text)) return "it is not written yet";
  if (ANCHOR.test(text)) return null;
  if (text.trim().split(/\s+/u).length < LEAST_WORDS) return "it says too little";
  const vague = VAGUE.exec(text)?.[0];
  return vague === undefined
    ? null
    : `"${vague}" is an opinion; say what can be seen, with a number, a name or a command`;
}

function listRepeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
