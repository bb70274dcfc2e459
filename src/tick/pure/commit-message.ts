/**
 * The message of a commit by the runner. Intent and ids come from an agent, and people and tools trust trailers. So
 * text of others is reduced to one line, and what exceeds the subject is quoted: a line with `> ` can be neither a
 * trailer nor the divider at which git stops reading.
 */
import type { Code } from "../../base/codes.ts";
import type { Task } from "../../records/task.ts";
import { shorten } from "../../base/words.ts";

export interface CommitFacts {
  readonly task: Task;
  readonly runId: string;
  readonly code: Code;
  readonly workflow: string;
  readonly productName: string;
  readonly subject?: string | undefined;
  /** Whether the work was reverted, so that the commit only holds the runner's own files. */
  readonly isPutBack?: boolean | undefined;
  /** No check ran before it, as in a goal, whose checks follow the checkpoint. */
  readonly isUnchecked?: boolean | undefined;
}

const WIDTH = 72;

/** Controls, line and paragraph separators, halves of surrogate pairs, and what turns or hides the text around it. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}]/gu;

/** A conventional subject, the whole intent if the subject cuts it, and the trailers. */
export function commitMessage(facts: CommitFacts): string {
  const { task, runId, code, workflow, productName } = facts;
  const prefix = `chore(${joinLine(productName).replaceAll(/[():]/g, "") || "relais"}): `;
  const intent = joinLine(task.intent ?? "") || `work on ${joinLine(task.task_id) || "a task"}`;
  const subject = facts.subject ?? shorten(`${prefix}${intent}`, WIDTH);
  const whole = subject === `${prefix}${intent}` ? [] : [quoteLines(intent)];
  const about = describeWork(facts, joinLine(workflow));
  return `${[subject, ...whole, about, writeTrailers({ task, runId, code })].join("\n\n")}\n`;
}

type TrailerFacts = Pick<CommitFacts, "task" | "runId" | "code">;

function writeTrailers({ task, runId, code }: TrailerFacts): string {
  const trailers = { "Relais-Run": runId, "Relais-Task": task.task_id, "Relais-Code": code };
  return Object.entries(trailers)
    .map(([name, value]) => `${name}: ${joinLine(value) || "none"}`)
    .join("\n");
}

const TRAILER = /^[A-Za-z][A-Za-z0-9-]*: \S/u;

/** A message that a person wrote; the trailers join those that it ends with. */
export function addTrailers(text: string, facts: TrailerFacts): string {
  const written = text.replaceAll("\r\n", "\n").trim();
  const paragraphs = written.split(/\n\s*\n/u);
  const isJoined = paragraphs.length > 1 && (paragraphs.at(-1) ?? "").split("\n").every((line) => TRAILER.test(line));
  return `${written}${isJoined ? "\n" : "\n\n"}${writeTrailers(facts)}\n`;
}

interface AcceptedWork {
  readonly intent: string;
  readonly paths: readonly string[];
  /** Of the last commits, the newest first. */
  readonly subjects: readonly string[];
}

const CONVENTIONAL = /^(?<type>[a-z]{2,12})(?:\([^()]+\))?!?: (?<rest>\S.*)$/u;
const LEAST = 3;

/** What a person would write about an accepted change: its sentence, in the style that most of the last commits have. */
export function draftMessage({ intent, paths, subjects }: AcceptedWork): string {
  const known = subjects.flatMap((subject): readonly Groups[] => {
    const found = CONVENTIONAL.exec(subject)?.groups;
    return found === undefined ? [] : [found];
  });
  const isConventional = subjects.length >= LEAST && 2 * known.length > subjects.length;
  const rests = isConventional ? known.map(({ rest = "" }) => rest) : subjects;
  const sentence = copyCase(joinLine(intent) || "Change the repository", rests);
  const prefix = isConventional ? `${chooseType({ intent, paths }, known)}: ` : "";
  const subject = shorten(`${prefix}${sentence}`, WIDTH);
  return subject === `${prefix}${sentence}` ? subject : `${subject}\n\n${quoteLines(joinLine(intent))}`;
}

const FIXES = /^(?:fix|repair|correct|mend)\b/iu;
const ADDS = /^(?:add|allow|support|implement|introduce|create|make|let|count|show)\b/iu;
const DOCUMENT = /(?:^|\/)docs?\/|\.(?:md|markdown|rst|adoc|txt)$/iu;
const TEST = /(?:^|\/)(?:tests?|specs?|__tests__)\/|[._-](?:test|spec)\.[^/]+$/iu;

function chooseType({ intent, paths }: Pick<AcceptedWork, "intent" | "paths">, known: readonly Groups[]): string {
  if (paths.length > 0 && paths.every((path) => DOCUMENT.test(path))) return "docs";
  if (paths.length > 0 && paths.every((path) => TEST.test(path))) return "test";
  if (FIXES.test(intent.trim())) return "fix";
  return ADDS.test(intent.trim()) ? "feat" : findMostCommon(known.map(({ type = "chore" }) => type));
}

type Groups = Readonly<Record<string, string | undefined>>;

function findMostCommon(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? "chore";
}

/** The first letter and the full stop as most of them have them. */
function copyCase(sentence: string, others: readonly string[]): string {
  const isMost = (has: (text: string) => boolean) =>
    others.length >= LEAST && 2 * others.filter(has).length > others.length;
  const whole = isMost((text) => !text.endsWith(".")) ? sentence.replace(/\.$/u, "") : sentence;
  const [first = "", second = ""] = whole;
  // An abbreviation keeps its letters.
  if (isMost((text) => /^\p{Ll}/u.test(text)) && !/\p{Lu}/u.test(second))
    return first.toLowerCase() + whole.slice(first.length);
  return isMost((text) => /^\p{Lu}/u.test(text)) ? first.toUpperCase() + whole.slice(first.length) : whole;
}

function describeWork({ code, isPutBack, isUnchecked }: CommitFacts, workflow: string): string {
  if (isPutBack === true) return `A reverted attempt, recorded by the ${workflow} workflow.`;
  if (code !== "SUCCESS") return `An attempt that failed, kept by the ${workflow} workflow.`;
  const done = isUnchecked === true ? "Judged and committed" : "Judged, checked and committed";
  return `${done} by the ${workflow} workflow.`;
}

function joinLine(text: string): string {
  return text.replaceAll(NOT_SHOWN, " ").replaceAll(/\s+/gu, " ").trim();
}

function quoteLines(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ">"} ${word}`;
    if (lines.length > 0 && longer.length > WIDTH) lines.push(`> ${word}`);
    else lines[Math.max(0, lines.length - 1)] = longer;
  }
  return lines.join("\n");
}
