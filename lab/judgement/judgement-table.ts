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

/** How the changes of one label ended. A held change waits for a person: it is neither kept nor refused. */
interface Ends {
  readonly cases: number;
  readonly kept: number;
  readonly held: number;
  readonly refused: number;
}

interface PolicyRow {
  readonly policy: string;
  readonly bad: Ends;
  readonly good: Ends;
  /** Every wrong decision by name; none where the policy decides nothing. */
  readonly wrong: {
    readonly kept: readonly string[];
    readonly held: readonly string[];
    readonly refused: readonly { readonly case: string; readonly reason: string }[];
  };
}

const HELD = "STOP_SUSPECT";

export function listRows({ policies, outcomes }: Run): readonly PolicyRow[] {
  return policies.map((policy) => {
    const own = outcomes.filter((outcome) => outcome.policy === policy);
    const [bad, good] = (["bad", "good"] as const).map((label) => own.filter((one) => one.labelled.label === label));
    const stopped = (good ?? []).filter(({ isAccepted }) => !isAccepted);
    return {
      policy: policy.title,
      bad: countEnds(bad ?? []),
      good: countEnds(good ?? []),
      wrong: {
        kept:
          policy.word === "trust"
            ? []
            : (bad ?? []).filter(({ isAccepted }) => isAccepted).map(({ labelled }) => labelled.id),
        held: stopped.filter(({ reason }) => reason === HELD).map(({ labelled }) => labelled.id),
        refused: stopped
          .filter(({ reason }) => reason !== HELD)
          .map(({ labelled, reason }) => ({ case: labelled.id, reason })),
      },
    };
  });
}

function countEnds(outcomes: readonly Outcome[]): Ends {
  const kept = outcomes.filter(({ isAccepted }) => isAccepted).length;
  const held = outcomes.filter(({ isAccepted, reason }) => !isAccepted && reason === HELD).length;
  return { cases: outcomes.length, kept, held, refused: outcomes.length - kept - held };
}
