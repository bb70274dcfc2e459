/** Several attempts compared: one row each, and what decided. */
import type { Attempt, AttemptRule } from "../records/attempts.ts";
import type { Report } from "../records/report.ts";
import { countNoun } from "../base/count-noun.ts";
import { formatDollars } from "../base/dollars.ts";
import { BAD, type Fact, GOOD, NEUTRAL } from "../base/canvas.ts";
import { neutralise } from "../base/neutralise.ts";
import { formatDuration } from "../base/duration-text.ts";

const RULES: Readonly<Record<AttemptRule, string>> = {
  checks: "it alone passed everything",
  votes: "more reviewers approve",
  lines: "the smaller change",
  files: "fewer files",
  number: "the earlier of two alike",
};

export function listAttemptFacts({ attempts }: Report): readonly Fact[] {
  if (attempts === undefined) return [];
  const { list, chosen, rule } = attempts;
  const cells = list.map(listCells);
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const rows = list.map((attempt, index): Fact => {
    const shown = (cells[index] ?? []).map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const text = shown.filter((_, column) => widths[column] !== 0).join("  ");
    const sign = attempt.number === chosen ? GOOD : attempt.verdict === "success" ? NEUTRAL : BAD;
    return ["", { ...sign, text: text.trimEnd() }];
  });
  if (isRound(list)) return [["tasks", describeRound(list)], ...rows];
  const because = rule === null ? "" : `: ${RULES[rule]}`;
  const words = chosen === null ? "none passed" : `${chosen} is kept${because}`;
  return [["attempts", `${list.length}, ${words}`], ...rows, ...listWaiting(list)];
}

const isRound = ([first]: readonly Attempt[]): boolean => first?.task_id !== undefined;

function describeRound(list: readonly Attempt[]): string {
  const passed = list.filter(({ verdict }) => verdict === "success").length;
  return `${list.length} side by side, ${passed} passed; the first lands here, each other one in its own tick`;
}

function listCells(attempt: Attempt): readonly string[] {
  const { number, agent, task_id, verdict, code, checks, votes, files, lines, duration_ms, usage } = attempt;
  const cost = usage?.cost_usd ?? null;
  return [
    task_id === undefined ? `${number} ${agent}` : neutralise(task_id),
    verdict === "success" ? "passed" : code,
    `checks ${checks.passed}/${checks.total}`,
    ...(votes === null ? [""] : [`votes ${votes.approved}/${votes.total}`]),
    `${countNoun(lines, "line")} in ${countNoun(files, "file")}`,
    formatDuration(duration_ms),
    ...(cost === null ? [""] : [formatDollars(cost)]),
  ];
}

function listWaiting(list: readonly Attempt[]): readonly Fact[] {
  const saved = list.flatMap(({ salvaged, run_id }) => (salvaged && run_id !== null ? [run_id] : []));
  const branches = list.flatMap(({ branch }) => (branch === undefined ? [] : [neutralise(branch)]));
  return [
    ["", saved.length === 0 ? null : `in salvage: ${saved.join(", ")}; \`relais land RUN\` lands one`],
    ["", branches.length === 0 ? null : `branches: ${branches.join(", ")}; \`relais land BRANCH\` lands one`],
  ];
}
