import type { CodeOf } from "../base/codes.ts";
import { REPORT_LIMITS } from "../records/report.ts";
import type { TickEvent } from "../records/event.ts";
import { unreachable } from "../base/errors.ts";
import { listHeldOutChecks } from "../checks/pure/held-out.ts";
import { listPinnedPaths } from "../checks/pure/oracle.ts";
import { planChecks, type VerificationPlan } from "../checks/pure/verification-plan.ts";
import { outlivesRedChecks } from "./pure/settle-action.ts";
import type { StateIn } from "./pure/tick-state.ts";
import { leadsOutside } from "../system/leads-outside.ts";
import type { Candidate } from "../place/workplace.ts";
import { readCandidate } from "./perform-judge.ts";
import { endUnjudged } from "./perform-settle.ts";
import { readInterruption, TICK_TIMEOUT } from "./tick-session.ts";
import type { RunningSession } from "./tick-session.ts";
import { runChecks } from "../checks/verify.ts";

export async function performVerify(session: RunningSession, state: StateIn<"verify">): Promise<TickEvent> {
  const { tree: root } = session.place;
  const settings = {
    ...session.config.verification,
    leadsOutside: (path: string) => leadsOutside(root, path),
  };
  const plan = planChecks(settings, state.wanted);
  if (plan.kind === "tainted") return refuseTainted(plan);
  const { changed, candidate } = await session.change.clean(readCandidate(session));
  if (changed.length > 0) throw endUnjudged(session, changed);
  session.memory.candidate = candidate;
  const checks = [...plan.checks, ...session.work.checks.choose(state)];
  const { pinned, heldOut } = choosePinned(session, state, candidate);
  await demandUnedited(session, { candidate, ignored: pinned.ignored });
  const verification = await runChecks({
    context: session,
    checks,
    candidate,
    outlivesRed: outlivesRedChecks(state),
    pinned,
    heldOut: checks.length > 0 || state.started.workflow === "relay" ? heldOut : { ...heldOut, checks: [] },
    base: state.baseline?.runs ?? null,
    wantsOtherTests: listWantedTests(session, state).length > 0,
    inherits: session.config.verification.inherited === "compare",
  });
  switch (verification.kind) {
    case "aborted":
      return readInterruption(session.signal);
    case "tick-timed-out":
      return TICK_TIMEOUT;
    case "verified": {
      const { code, cause, runs, findings, tolerated, notes } = verification;
      // An edited change is checked again, on top of what the first checks left.
      session.memory.tolerated = [...new Set([...session.memory.tolerated, ...tolerated])];
      return {
        type: "verified",
        code: chooseCode(state, code),
        cause,
        runs: [...runs],
        findings: findings.slice(0, REPORT_LIMITS.findings),
        ...(notes.length === 0 ? {} : { notes: [...notes] }),
      };
    }
    default:
      return unreachable(verification);
  }
}

interface JudgedChange {
  readonly candidate: Candidate;
  /** What the checks do not see. */
  readonly ignored: readonly unknown[];
}

/** Checks that see another content than the judged one begin with a rollback, which would take an edit since then away. */
async function demandUnedited(session: RunningSession, { candidate, ignored }: JudgedChange): Promise<void> {
  if (ignored.length === 0 && session.config.verification.setup.length === 0) return;
  const edited = await session.change.changedSince(candidate);
  if (edited.length > 0) throw endUnjudged(session, edited);
}

/** Only with pinned tests. A person's task may name tests that are to change. */
function choosePinned(session: RunningSession, state: StateIn<"verify">, { evidence }: Candidate) {
  const { config, recipes } = session;
  const wanted = listWantedTests(session, state);
  const pinned = listPinnedPaths(evidence, { ...config.verification, recipes, wanted });
  const isPinned = config.verification.oracle === "pinned";
  return {
    pinned: isPinned ? pinned : { oracle: [], ignored: [] },
    heldOut: { checks: listHeldOutChecks(config.verification), ignored: pinned.ignored },
  };
}

function listWantedTests({ work }: RunningSession, { task }: StateIn<"verify">): readonly string[] {
  return work.task !== null && task.task_kind === "execute" ? (task.oracle_changes ?? []) : [];
}

/** Since the task was admitted, the work has put a link in the path of a check. */
function refuseTainted({ problems }: Extract<VerificationPlan, { kind: "tainted" }>): TickEvent {
  const [{ cause }] = problems;
  const code = "STOP_VERIFY_TAINTED";
  const findings = problems.map(({ message }) => {
    return { gate: "verification-plan", code, subject: "a check", rule: message, glob: null } as const;
  });
  return { type: "verified", code, cause, runs: [], findings };
}

/** A verify_only task has its own code. */
function chooseCode({ task }: StateIn<"verify">, code: CodeOf<"stop"> | null): CodeOf<"stop"> | null {
  const isOwnCode = task.task_kind === "verify_only" && code === "STOP_VERIFY_SIDE_EFFECTS";
  return isOwnCode ? "STOP_VERIFY_ONLY_SIDE_EFFECTS" : code;
}
