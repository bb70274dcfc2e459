/** Whether reverted work can be adopted later, because its session finished and kept the rules. */
import type { Code } from "../../contract/values/codes.ts";
import type { Evidence } from "../../contract/evidence/evidence.ts";
import { judge } from "../../core/judge/judge.ts";
import type { PreparedFacts } from "../../core/tick/tick-state.ts";
import type { TickSession } from "../session/tick-session.ts";

/** The workflow knows the size limit, and judges adopted work again. */
const BUT_FOR_SIZE: readonly Code[] = ["SUCCESS", "STOP_DIFF_TOO_LARGE"];

interface WeighedWork {
  readonly isLawful: boolean;
  readonly isNothing: boolean;
}

export function weighWork(
  { config: { workspace_dir: workspace } }: Pick<TickSession, "config">,
  facts: PreparedFacts,
  evidence: Evidence,
): WeighedWork {
  // A crash leaves the drop folders of the runner, which are no change.
  const drops = `${workspace}/.tmp`;
  const isDrop = (path: string) => path === drops || path.startsWith(`${drops}/`);
  const changes = evidence.changes.filter(({ path }) => !isDrop(path));
  const isJudged = BUT_FOR_SIZE.includes(judge({ ...evidence, changes }).code);
  return { isLawful: isFinished(facts) && (isJudged || wasJudged(facts)), isNothing: changes.length === 0 };
}

/** A tick without a builder has no unfinished work. */
function isFinished(facts: PreparedFacts): boolean {
  return !("building" in facts) || ("built" in facts && facts.built.failure === null);
}

/** An interrupted commit looks like the builder's, but the judgement before it found none. */
function wasJudged(facts: PreparedFacts): boolean {
  return "building" in facts && "judged" in facts && facts.judged.code === "SUCCESS";
}
