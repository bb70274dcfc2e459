import type { Task } from "../../records/task.ts";

/** What a task asks for, as far as its words tell. */

/** Words of sentences that ask for something besides code. */
const ABOUT_TESTS =
  /\btests?\b|\btest[-_ ]?(?:suite|case|file|data)s?\b|\bspecs?\b|\bcoverage\b|\bfixtures?\b|\bsnapshots?\b|\bassert(?:ion)?s?\b|\bflaky\b|\bmocks?\b/iu;
const ABOUT_TEXT =
  /\breadme\b|\bdocs?\b|\bdocument\w*|\bcomment\w*|\bchange-?log\b|\btypos?\b|\bspell\w*|\bwording\b|\bguides?\b|\btutorials?\b|\blicen[cs]e\b|\bdocstrings?\b|\b[jt]sdoc\b|\bexplain\w*|\bdescri\w+|\bmarkdown\b|\bannotat\w+|\bformat(?:ting|ted)\b|\bstyle\b|\bnotes?\b|\bmanual\b|\bclarif\w+|\bmention\w*|\bheaders?\b|\bcopyright\b|\btodos?\b|\btranslat\w+|\b[\w-]+\.(?:mdx?|rst|adoc|txt)\b/iu;

const NAMES_CODE =
  /[\w$]\(|\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|sh|bash|php|swift|c|h|cc|cpp)\b|\b(?:src|lib|bin|app|pkg)\//u;
const ASKS =
  /\b(?:must|should|shall|needs? to|has to|fix|repair|implement|add|create|return|throw|raise|refuse|reject|support|make|change|replace|remove|allow|handle|correct|extend)\b/iu;

/** Whether other code is asked for, so that new tests alone are not enough. */
export function asksForCode(task: string): boolean {
  return asksBeside(task, (sentence) => ABOUT_TESTS.test(sentence) || ABOUT_TEXT.test(sentence));
}

/** Work after which the code does the same as before. */
const KEEPS =
  /\brefactor\w*|\brename\w*|\bmov(?:e|es|ed|ing)\b|\bextract\w*|\bsplit\b|\bclean\w*|\bsimplif\w+|\binline\w*|\breorgani[sz]e\w*|\bfaster\b|\bspeed\w*|\bperforman\w+|\bslow\w*|\bcache[sd]?\b|\bmemoi[sz]e\w*|\bdeprecat\w+|\bupgrade\w*|\bmigrat\w+|\binstall\w*|\bdependenc\w+|\btyp(?:es?|ed|ings?)\b|\bnothing else\b|\bas before\b|\bsame behaviou?r\b|\bwithout changing\b|\bstays?\b/iu;

/** Whether code is to do something else than before, and a test is to show it: some new test must fail without it. */
export function asksForProof(task: string): boolean {
  return ABOUT_TESTS.test(task) && asksForCode(task) && !KEEPS.test(task);
}

const FEWER =
  /\bremov\w*|\bdelet\w*|\bdrop\w*|\bretire\w*|\bmerg\w+|\bcombin\w+|\bjoin\w*|\bfold\w*|\bconsolidat\w+|\bparametri[sz]\w*|\btables?\b|\bfewer\b|\bone test\b|\brewrit\w+|\bsimplif\w+|\bclean\w*|\bduplicat\w+|\bshort\w*|\bobsolete\b|\bno longer\b|\breplac\w+|\bskip\w*|\bdisabl\w+/iu;

/** Whether tests may go, or be skipped, in a task that is to change tests. */
export function asksForFewerTests(task: string): boolean {
  return task === "" || FEWER.test(task);
}

const CHANGES_TESTS =
  /\b(?:updat|chang|adjust|adapt|renam|rewrit|replac|correct|modif|remov|delet|mov|merg|convert)\w*(?:[\s,]+(?!(?:so|that|until|unless|if|because|when|which|while|but|for|from|without|not)\b)[\w'`"./()-]+){0,7}?[\s,]+[`"']?(?:(?<!\b(?:and|or|to|then) )test|tests|specs?|snapshots?|expectations?|assert(?:ion)?s?)\b/iu;
const REFUSES = /\b(?:not|never|without|n't|no need to|instead of|rather than|leav\w*|keep\w*)\b/iu;

/** Whether tests that there are already are to say something else, so that the old ones need not hold. */
export function asksForOtherTests(sentence: string): boolean {
  const parts = sentence.split(/(?<=[.!?;])\s+|\n+/u);
  return parts.some((part) => CHANGES_TESTS.test(part) && !REFUSES.test(part));
}

/** Whether code or tests are asked for, so that documents and comments alone are not enough. */
export function asksForMoreThanText(task: string): boolean {
  if (asksBeside(task, (sentence) => ABOUT_TEXT.test(sentence))) return true;
  return !speaksOfText(task) && ASKS.test(task);
}

/** Whether documents or comments may be meant. */
export function speaksOfText(task: string): boolean {
  return ABOUT_TEXT.test(task);
}

/** Sentences about something else may still explain what it is about, so that the others must really ask. */
function asksBeside(task: string, isOther: (sentence: string) => boolean): boolean {
  const sentences = task.split(/(?<=[.!?])\s+|\n+/u).filter((sentence) => sentence.trim() !== "");
  const rest = sentences.filter((sentence) => !isOther(sentence));
  const asks = rest.length === sentences.length || rest.some((sentence) => ASKS.test(sentence));
  return asks && rest.some((sentence) => NAMES_CODE.test(sentence));
}

export function readTaskText(task: Task): string {
  const { intent, instructions } = { instructions: "", ...task.builder, intent: task.intent ?? "" };
  return instructions.includes(intent) ? instructions : `${intent}\n${instructions}`;
}

/** All of a task file that can name a path to change. */
export function readTaskWords(task: Task): string {
  return [readTaskText(task), ...(task.scope?.allowed_globs ?? [])].join("\n\n");
}
