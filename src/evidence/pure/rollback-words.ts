import type { RollbackStep } from "../../records/recovery.ts";
import { countNoun } from "../../base/words.ts";

const LINES_MAX = 30;
const WORDS = { write: "write", remove: "remove", mode: "change the rights of" } as const;

/** One line for each step. Of very many, those in one folder share a line. */
export function describeRollbackSteps(steps: readonly RollbackStep[]): readonly string[] {
  if (steps.length <= LINES_MAX) return steps.map(({ act, path }) => `${WORDS[act]} ${path}`);
  const groups = new Map<string, RollbackStep[]>();
  for (const step of steps) {
    const folder = /^[^/]*\//.exec(step.path)?.[0] ?? step.path;
    const key = `${step.act} ${folder}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [step]);
    else group.push(step);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const folder = first.path.slice(0, first.path.indexOf("/") + 1);
    return group.length === 1
      ? [`${WORDS[first.act]} ${first.path}`]
      : [`${WORDS[first.act]} ${countNoun(group.length, "file")} in ${folder}`];
  });
}
