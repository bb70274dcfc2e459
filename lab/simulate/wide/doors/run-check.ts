/** Checks that pass, fail, hang or change files; how their ends are read is real. */
import type { Check } from "../../../../src/checks/pure/verification-plan.ts";
import type { SessionEnd } from "../../../../src/process/supervise.ts";
import type { CheckRun } from "../../../../src/checks/run-check.ts";
import { getWorld } from "../stage.ts";

const NO_OUTPUT = {
  stdout: Buffer.alloc(0),
  stderr: Buffer.alloc(0),
  stdoutTruncated: false,
  bytesTotal: 0,
  tail: Buffer.alloc(0),
  survivors: [],
  undead: [],
};

export async function runCheck(
  run: CheckRun,
  check: Check,
): Promise<{ readonly end: SessionEnd; readonly excess: null; readonly isLast: boolean }> {
  const world = getWorld();
  const process = world.processOf(run.repository.environment);
  const timeoutMs = check.timeoutSeconds * 1000;
  const remainingMs = run.deadlineAt - world.nowMs;
  const deadlineMs = Math.min(timeoutMs, remainingMs);
  await world.step(process, `the check ${check.templateId} starts`);
  world.watch.checkStarts(run.marker, check);
  const deed = world.isBad() ? world.pick(["fails", "fails", "hangs", "writes", "aborts"] as const) : "passes";
  const durationMs = deed === "hangs" ? deadlineMs : Math.min(deadlineMs, 1000 + world.random.below(5000));
  world.advance(durationMs);
  if (deed === "writes") world.repository.files.set("check-output.txt", `agent ${world.makeName()} as a check`);
  await world.step(process, `the check ${check.templateId} ${deed}`);
  const parts = { ...NO_OUTPUT, durationMs };
  const end = (): SessionEnd => {
    if (run.signal.aborted) return { ...parts, kind: "aborted" };
    if (deed === "hangs" || durationMs >= deadlineMs) return { ...parts, kind: "timed-out" };
    return { ...parts, kind: "exited", status: deed === "fails" ? 1 : 0 };
  };
  const ended = end();
  world.watch.checkEnds(run.marker, check, ended.kind === "exited" && ended.status === 0);
  return { end: ended, excess: null, isLast: remainingMs <= timeoutMs };
}
