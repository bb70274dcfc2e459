/** Whether what is put back could be taken up again, because a session had come to its end and kept to the rules. */
import type { Code } from "../../contract/values/codes.ts";
import type { Evidence } from "../../contract/evidence/evidence.ts";
import { judge } from "../../core/judge/judge.ts";
import type { PreparedFacts } from "../../core/tick/tick-state.ts";
import type { TickSession } from "../session/tick-session.ts";

/** How large a change may be is known to its workflow, which judges it again when the work is taken up. */
const BUT_FOR_SIZE: readonly Code[] = ["SUCCESS", "STOP_DIFF_TOO_LARGE"];

interface WeighedWork {
  readonly isLawful: boolean;
  /** Whether nothing was changed at all. */
  readonly isNothing: boolean;
}

export function weighWork(
  { config: { workspace_dir: workspace } }: Pick<TickSession, "config">,
  facts: PreparedFacts,
  evidence: Evidence,
): WeighedWork {
  // A crash leaves the folders that the runner had made for its sessions; what lies there is nobody's change.
  const drops = `${workspace}/.tmp`;
  const isDrop = (path: string) => path === drops || path.startsWith(`${drops}/`);
  const changes = evidence.changes.filter(({ path }) => !isDrop(path));
  const isJudged = BUT_FOR_SIZE.includes(judge({ ...evidence, changes }).code);
  return { isLawful: isFinished(facts) && (isJudged || wasJudged(facts)), isNothing: changes.length === 0 };
}

/** A tick that nobody builds in has nothing that could be half done. */
function isFinished(facts: PreparedFacts): boolean {
  return !("building" in facts) || ("built" in facts && facts.built.failure === null);
}

/** A commit that was cut short looks like one of the builder's, who had been found to make none. */
function wasJudged(facts: PreparedFacts): boolean {
  return "building" in facts && "judged" in facts && facts.judged.code === "SUCCESS";
}
