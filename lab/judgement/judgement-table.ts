/** What the policies decided, as tables for people. */
import type { LabelledCase } from "./labelled-case.ts";
import type { Decision, Policy } from "./policies.ts";

export interface Outcome extends Decision {
  readonly policy: Policy;
  readonly labelled: LabelledCase;
}

export const isWrong = ({ isAccepted, labelled }: Outcome): boolean => isAccepted !== (labelled.label === "good");

type Rows = readonly (readonly (string | number)[])[];

export function drawTable(head: readonly string[], rows: Rows): string {
  const lines = [head, head.map((_, column) => (column < 2 ? "---" : "---:")), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

interface Run {
  readonly policies: readonly Policy[];
  readonly cases: readonly LabelledCase[];
  readonly outcomes: readonly Outcome[];
}

/** Wrong decisions by class and policy, then all of each label. */
export function drawDecisions({ policies, cases, outcomes }: Run): string {
  const countWrong = (policy: Policy, among: readonly LabelledCase[]): string => {
    const own = outcomes.filter((outcome) => outcome.policy === policy && among.includes(outcome.labelled));
    return own.length === 0 ? "–" : String(own.filter(isWrong).length);
  };
  const makeRow = (title: string, among: readonly LabelledCase[]): readonly (string | number)[] => [
    title,
    among[0]?.label ?? "",
    among.length,
    ...policies.map((policy) => countWrong(policy, among)),
  ];
  const kinds = (["bad", "good"] as const).flatMap((label) => {
    const own = cases.filter((labelled) => labelled.label === label);
    const names = [...new Set(own.map(({ kind }) => kind))];
    const rows = names.map((name) =>
      makeRow(
        name,
        own.filter(({ kind }) => kind === name),
      ),
    );
    const total = label === "bad" ? "**bad let through**" : "**good refused**";
    return own.length === 0 ? [] : [...rows, makeRow(total, own)];
  });
  return drawTable(["class", "label", "cases", ...policies.map(({ title }) => title)], kinds);
}

/** Every wrong decision by name, for each policy that is not wrong by design. */
export function listWrong({ policies, outcomes }: Run): string {
  const parts = policies
    .filter(({ word }) => word !== "trust")
    .flatMap((policy) => {
      const wrong = outcomes.filter((outcome) => outcome.policy === policy && isWrong(outcome));
      const lines = (["bad", "good"] as const).flatMap((label) => {
        const own = wrong.filter(({ labelled }) => labelled.label === label);
        const names = own.map(({ labelled, reason }) => (label === "bad" ? labelled.id : `${labelled.id} (${reason})`));
        return own.length === 0 ? [] : [`- ${label === "bad" ? "let through" : "refused"}: ${names.join(", ")}`];
      });
      return [`Wrong by "${policy.title}":`, "", ...(lines.length === 0 ? ["- none"] : lines), ""];
    });
  return parts.join("\n").trim();
}
