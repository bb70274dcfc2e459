import type { Head } from "../../records/evidence.ts";
import type { Gate, GateRefusal } from "./gate.ts";
import { quote } from "../../base/words.ts";

const BRANCH = /^ref: (?<name>.+)$/su;

/** Refuses any change that moved HEAD or the branch it names: only the runner commits. */
export const headMoved: Gate = {
  id: "head-moved",
  refuse: ({ evidence: { head } }) => (head === null ? [] : findMovements(head.before, head.after)),
};

function findMovements(before: Head, after: Head): GateRefusal[] {
  const refusals: GateRefusal[] = [];
  if (before.text !== after.text) {
    refusals.push(refuseMovement("HEAD", `HEAD was ${quote(before.text)} and is now ${quote(after.text)}.`));
  }
  if (before.commit !== after.commit) {
    const subject = BRANCH.exec(after.text)?.groups?.["name"] ?? "HEAD";
    refusals.push(
      refuseMovement(subject, `HEAD was at ${describeCommit(before)} and is now at ${describeCommit(after)}.`),
    );
  }
  return refusals;
}

function refuseMovement(subject: string, rule: string): GateRefusal {
  return { code: "STOP_HEAD_MOVED", subject, rule, glob: null };
}

function describeCommit(head: Head): string {
  return head.commit === null ? "no commit" : quote(head.commit);
}
