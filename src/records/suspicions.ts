/**
 * Two strengths of findings. Evidence is measured and stops a change. A suspicion is read from text or words, or is a path
 * that only a person should decide about: it holds the change for that person. The code of a finding says which it is.
 */
import type { Rules } from "./evidence.ts";
import type { Finding, Judgement } from "./judgement.ts";

export const HELD = "STOP_SUSPECT";
/** The gate of tests as they were before. */
export const OLD_TESTS = "old-oracle";

export function isSuspicion({ code }: Pick<Finding, "code">): boolean {
  return code === HELD;
}

type Accepted = NonNullable<Rules["accepted"]>[number];

/** What a person accepts of a finding: not its line, which the commits before it may move. */
export function makeAccepted({ gate, subject, quote }: Finding): Accepted {
  return { gate, subject: subject.replace(/:\d+$/, ""), ...(quote === undefined ? {} : { quote }) };
}

/** The suspicions that nobody accepted yet. Each accepted one lifts one finding, so that a second one like it holds again. */
export function listSuspicions(findings: readonly Finding[], accepted: readonly Accepted[] = []): readonly Finding[] {
  const left = accepted.map(nameAccepted);
  return findings.filter((finding) => {
    if (!isSuspicion(finding)) return false;
    const at = left.indexOf(nameAccepted(makeAccepted(finding)));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

/** Without a tick nothing can be held: suspicions are warnings, unless somebody asks for more. */
export function splitSuspicions(
  judgement: Judgement,
  isStrict: boolean,
): Judgement & { readonly suspicions: Finding[] } {
  const findings = judgement.findings.filter((finding) => !isSuspicion(finding));
  const suspicions = judgement.findings.filter(isSuspicion);
  const isWarned = judgement.code === HELD && !isStrict;
  const passed = { verdict: "success", code: "SUCCESS", cause: null } as const;
  return { ...judgement, ...(isWarned ? passed : {}), findings, suspicions };
}

interface Found {
  readonly code: Finding["code"] | null;
  readonly cause: string | null;
  readonly findings: readonly Finding[];
}

/** The same for what the checks found. */
export function liftAccepted<Known extends Found>(found: Known, accepted: readonly Accepted[] | undefined): Known {
  const suspicions = listSuspicions(found.findings, accepted);
  const findings = [...found.findings.filter((finding) => !isSuspicion(finding)), ...suspicions];
  const isLifted = found.code === HELD && suspicions.length === 0;
  return isLifted ? { ...found, code: null, cause: null, findings } : { ...found, findings };
}

const nameAccepted = ({ gate, subject, quote = "" }: Accepted): string => JSON.stringify([gate, subject, quote]);

/** What a held change was made for. A goal is one piece of work; an iteration of a campaign has a number before its story. */
export function nameUnit(workflow: string, taskId: string): string {
  if (workflow === "goal") return "goal";
  return workflow === "campaign" ? taskId.replace(/^(?:iter|verify)-\d+-/, "") : taskId;
}
