/**
 * The message of a commit that the runner makes.
 *
 * Intent and ids come from an agent, and people and tools believe what trailers say. So everything that was written by
 * others is reduced to one line, and what is longer than a subject is quoted: a line that begins with `> ` can be
 * neither a trailer nor the divider at which git stops reading a message.
 */
import type { Code } from "../../contract/values/codes.ts";
import type { Task } from "../../contract/documents/task.ts";
import { shorten } from "./shorten.ts";

export interface CommitFacts {
  readonly task: Task;
  readonly runId: string;
  readonly code: Code;
  readonly workflow: string;
  /** What the runner calls itself in the subject. */
  readonly productName: string;
  /** The whole subject, where a workflow has one of its own. */
  readonly subject?: string | undefined;
  /** Whether the work itself was put back, so that the commit holds only what the runner writes about it. */
  readonly isPutBack?: boolean | undefined;
  /** Whether no check was run before it, as in a turn of a goal, whose checks follow the checkpoint. */
  readonly isUnchecked?: boolean | undefined;
}

const WIDTH = 72;

/** Controls, line and paragraph separators, halves of surrogate pairs, and what turns or hides the text around it. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}]/gu;

/** A conventional subject, the whole intent where the subject had to cut it, and the trailers. */
export function commitMessage(facts: CommitFacts): string {
  const { task, runId, code, workflow, productName } = facts;
  const prefix = `chore(${oneLine(productName).replaceAll(/[():]/g, "") || "relais"}): `;
  const intent = oneLine(task.intent ?? "") || `work on ${oneLine(task.task_id) || "a task"}`;
  const subject = facts.subject ?? shorten(`${prefix}${intent}`, WIDTH);
  const whole = subject === `${prefix}${intent}` ? [] : [quoted(intent)];
  const about = aboutText(facts, oneLine(workflow));
  const trailers = [trailer("Relais-Run", runId), trailer("Relais-Task", task.task_id), trailer("Relais-Code", code)];
  return `${[subject, ...whole, about, trailers.join("\n")].join("\n\n")}\n`;
}

function aboutText({ code, isPutBack, isUnchecked }: CommitFacts, workflow: string): string {
  if (isPutBack === true) return `An attempt that was put back, recorded by the ${workflow} workflow.`;
  if (code !== "SUCCESS") return `An attempt that failed, kept by the ${workflow} workflow.`;
  const done = isUnchecked === true ? "Judged and committed" : "Judged, checked and committed";
  return `${done} by the ${workflow} workflow.`;
}

function trailer(name: string, value: string): string {
  return `${name}: ${oneLine(value) || "none"}`;
}

function oneLine(text: string): string {
  return text.replaceAll(NOT_SHOWN, " ").replaceAll(/\s+/gu, " ").trim();
}

function quoted(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ">"} ${word}`;
    if (lines.length > 0 && longer.length > WIDTH) lines.push(`> ${word}`);
    else lines[Math.max(0, lines.length - 1)] = longer;
  }
  return lines.join("\n");
}
