/** The ways to decide about a change that are compared: each accepts it or refuses it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { applyChange } from "./apply-change.mjs";
import { makeConfig, makeTask, nameHeldOut } from "./case-documents.ts";
import type { Base, LabelledCase } from "./labelled-case.ts";
import { findRedCheck, withPlace } from "./open-place.ts";

export interface Trial {
  readonly root: string;
  /** The built executable. */
  readonly executable: string;
  readonly base: Base;
  readonly labelled: LabelledCase;
}

export interface Decision {
  readonly isAccepted: boolean;
  /** The code of the tick, or what else was decided. */
  readonly reason: string;
}

export interface Policy {
  /** What a word of the command line selects it by. */
  readonly word: string;
  readonly title: string;
  readonly decide: (trial: Trial) => Promise<Decision>;
}

const trust: Policy = {
  word: "trust",
  title: "trust the agent",
  decide: async () => ({ isAccepted: true, reason: "trusted" }),
};

const checksOnly: Policy = {
  word: "checks",
  title: "checks only",
  decide: (trial) =>
    withPlace(trial, async (place) => {
      applyChange(trial.labelled.file, place.tree);
      const red = await findRedCheck(place, trial.labelled.checks ?? trial.base.checks);
      return { isAccepted: red === null, reason: red === null ? "green" : `${red} is red` };
    }),
};

type Verification = Readonly<Record<string, unknown>>;

/** One tick of the executable, with these keys in the section `verification`. */
function makeTickPolicy(word: string, title: string, choose: (box: string) => Verification): Policy {
  const decide = (trial: Trial): Promise<Decision> => {
    const makeFiles = (box: string) => ({ "relais.config.json": makeConfig({ ...trial, verification: choose(box) }) });
    return withPlace({ ...trial, makeFiles }, async (place) => {
      const task = join(place.box, "task.json");
      writeFileSync(task, makeTask(trial));
      const { stdout, output } = await place.run([process.execPath, trial.executable, "run", "--task", task, "--json"]);
      const code = readCode(stdout);
      if (code === null) throw new Error(`${trial.labelled.id}: the tick has no report: ${output}`);
      return { isAccepted: code === "SUCCESS", reason: code };
    });
  };
  return { word, title, decide };
}

const Answer = v.looseObject({ code: v.string() });

function readCode(stdout: string): string | null {
  try {
    return v.parse(Answer, JSON.parse(stdout)).code;
  } catch {
    return null;
  }
}

/** The values of `verification.oracle`. */
const ORACLES = ["off", "note", "pinned", "frozen"] as const;

/** Every policy that can be tried. */
export function listPolicies(): readonly Policy[] {
  return [
    trust,
    checksOnly,
    makeTickPolicy("default", "relais", () => ({})),
    ...ORACLES.map((oracle) => makeTickPolicy(oracle, `relais, ${oracle}`, () => ({ oracle }))),
    makeTickPolicy("held-out", "relais, held-out", nameHeldOut),
  ];
}

/** Those without which the table says little: the two usual ways, the default, the strictest, and held-out checks. */
export const USUAL_POLICIES: readonly string[] = ["trust", "checks", "default", "frozen", "held-out"];
