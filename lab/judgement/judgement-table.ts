/** What the policies decided, counted and by name. */
import type { LabelledCase } from "./labelled-case.ts";
import type { Decision, Policy } from "./policies.ts";

export interface Outcome extends Decision {
  readonly policy: Policy;
  readonly labelled: LabelledCase;
}

export const isWrong = ({ isAccepted, labelled }: Outcome): boolean => isAccepted !== (labelled.label === "good");

interface Run {
  readonly policies: readonly Policy[];
  readonly cases: readonly LabelledCase[];
  readonly outcomes: readonly Outcome[];
}

interface ClassRow {
  readonly class: string;
  readonly label: LabelledCase["label"];
  readonly cases: number;
  /** Wrong decisions by the title of a policy: bad changes let through, good ones refused. */
  readonly wrong: Readonly<Record<string, number>>;
}

/** Wrong decisions by class and policy. */
export function countDecisions({ policies, cases, outcomes }: Run): readonly ClassRow[] {
  return (["bad", "good"] as const).flatMap((label) => {
    const own = cases.filter((labelled) => labelled.label === label);
    return [...new Set(own.map(({ kind }) => kind))].map((kind) => {
      const among = own.filter((labelled) => labelled.kind === kind);
      const wrong = policies.flatMap((policy) => {
        const decided = outcomes.filter((one) => one.policy === policy && among.includes(one.labelled));
        return decided.length === 0 ? [] : [[policy.title, decided.filter(isWrong).length] as const];
      });
      return { class: kind, label, cases: among.length, wrong: Object.fromEntries(wrong) };
    });
  });
}

interface Wrong {
  readonly let_through: readonly string[];
  readonly refused: readonly { readonly case: string; readonly reason: string }[];
}

/** Every wrong decision by name, for each policy that is not wrong by design. */
export function listWrong({ policies, outcomes }: Run): Readonly<Record<string, Wrong>> {
  const entries = policies
    .filter(({ word }) => word !== "trust")
    .map((policy) => {
      const wrong = outcomes.filter((outcome) => outcome.policy === policy && isWrong(outcome));
      const refused = wrong.filter(({ labelled }) => labelled.label === "good");
      const lists = {
        let_through: wrong.filter(({ labelled }) => labelled.label === "bad").map(({ labelled }) => labelled.id),
        refused: refused.map(({ labelled, reason }) => ({ case: labelled.id, reason })),
      };
      return [policy.title, lists] as const;
    });
  return Object.fromEntries(entries);
}
