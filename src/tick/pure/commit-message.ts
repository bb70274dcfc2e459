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
  const trailers = [
    writeTrailer("Relais-Run", runId),
    writeTrailer("Relais-Task", task.task_id),
    writeTrailer("Relais-Code", code),
  ];
  return `${[subject, ...whole, about, trailers.join("\n")].join("\n\n")}\n`;
}

function describeWork({ code, isPutBack, isUnchecked }: CommitFacts, workflow: string): string {
  if (isPutBack === true) return `A reverted attempt, recorded by the ${workflow} workflow.`;
  if (code !== "SUCCESS") return `An attempt that failed, kept by the ${workflow} workflow.`;
  const done = isUnchecked === true ? "Judged and committed" : "Judged, checked and committed";
  return `${done} by the ${workflow} workflow.`;
}

function writeTrailer(name: string, value: string): string {
  return `${name}: ${joinLine(value) || "none"}`;
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
