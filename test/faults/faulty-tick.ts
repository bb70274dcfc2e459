/**
 * One fault: a call of a tick, or of a recovery, fails as on a bad or full disk. relais goes on or ends by itself, and then
 * the disk is in order again.
 */
import { CODES } from "../../src/base/codes.ts";
import {
  eventsOf,
  firstRecoveryProblems,
  keptProblems,
  named,
  nextTickProblems,
  repetitionProblems,
} from "../crash/aftermath.ts";
import {
  argumentsOf,
  changedBetween,
  copySite,
  type Kind,
  type Ran,
  revertedWith,
  type RunRelais,
  type Site,
} from "../crash/site.ts";
import { digestLoosely } from "../crash/world-digest.ts";
import type { Walk } from "../support/walker.ts";
import { armFault, type Fault } from "./fault-library.ts";

export interface FaultyTick {
  readonly fault: Fault;
  /** The call that failed first, and its path in the site; null where the tick ended before it. */
  readonly call: string | null;
  /** `unharmed` is a tick that ended as it does without the fault. */
  readonly outcome: "unharmed" | "reverted" | "kept" | "missed";
  /** What relais said at its end. */
  readonly said: string;
  /** What is not as it should be, in words; empty is good. */
  readonly failures: readonly string[];
}

/** What meets the fault: the tick of the site, or the recovery of that tick, which was killed before it was settled. */
export type Deed = "tick" | "recovery";

/** Every call of an undisturbed deed that the library sees. */
export async function surveyCalls(library: string, template: Site, deed: Deed): Promise<readonly string[]> {
  const site = copySite(template);
  try {
    await prepare(site, deed);
    const armed = armFault(library, site.box, { at: 0, error: "EIO", mode: "once" });
    const ran = await site.relaisWith(wordsOf(site, deed), armed.variables);
    if (!isUnharmed(ran, site.kind, deed)) throw new Error(`it ended as ${ran.stdout}${ran.stderr}`);
    return armed.calls();
  } finally {
    site.remove();
  }
}

async function prepare(site: Site, deed: Deed): Promise<void> {
  if (deed === "tick") return;
  const strike = { at: "/journal.jsonl", data: '"type":"settle_started"', when: "after" } as const;
  const { signal } = await site.relais(argumentsOf(site), strike);
  if (signal !== "SIGKILL") throw new Error("the tick was not killed");
}

/** A rollback of git's own data needs an answer; the fault must not meet the question but what follows. */
const wordsOf = (site: Site, deed: Deed): readonly string[] =>
  deed === "tick" ? [...argumentsOf(site), "--json"] : ["recover", "--yes", "--json"];

/** Lets one of them meet the fault and answers with all that is wrong afterwards. */
export async function meetFault(library: string, template: Site, meeting: Meeting): Promise<FaultyTick> {
  const { fault, deed, quickRelais } = meeting;
  const site = copySite(template, quickRelais);
  try {
    const before = site.look();
    await prepare(site, deed);
    const armed = armFault(library, site.box, fault);
    const ran = await site.relaisWith(wordsOf(site, deed), armed.variables);
    const failed = armed.calls().find((call) => call.startsWith("!"));
    const end = look(site, ran);
    const left = await problemsLeft(site, { ...meeting, ran, before, end });
    const failures = left.filter((failure) => !isTold(failure, ran, failed));
    const harmed = end.isKept ? "kept" : "reverted";
    const outcome = failed === undefined ? "missed" : isUnharmed(ran, site.kind, deed) ? "unharmed" : harmed;
    return { fault, call: failed?.slice(1) ?? null, outcome, said: saidBy(ran), failures };
  } finally {
    site.remove();
  }
}

interface Meeting {
  readonly fault: Fault;
  readonly deed: Deed;
  /** The states that recoveries led to; in a known one, the second recovery and the next tick are not tried again. */
  readonly ends?: Set<string>;
  /** Recovers instead of the executable, which meets the fault. */
  readonly quickRelais?: RunRelais | undefined;
}

interface Met extends Meeting {
  readonly ran: Ran;
  readonly before: Walk;
  readonly end: ReturnType<typeof look>;
}

/** The fault is over: what is wrong now, after a recovery, and with what follows. */
async function problemsLeft(site: Site, { ran, before, end, fault, deed, ends }: Met): Promise<readonly string[]> {
  const expected = end.isKept ? end.at : before;
  const first = [
    ...named("end", endProblems(ran, { kind: site.kind, fault, deed })),
    ...(end.isOver && !end.isKept ? named("at the end", changedBetween(before, end.at)) : []),
    ...(end.isKept ? named("kept", keptProblems(site, end.settled)) : []),
    ...(await firstRecoveryProblems(site, { left: end.left, expected, pid: ran.pid })),
  ];
  if (isKnown(site, ends)) return first;
  return [...first, ...(await repetitionProblems(site)), ...(await nextTickProblems(site, site.kind))];
}

function isKnown(site: Site, ends: Set<string> | undefined): boolean {
  if (ends === undefined) return false;
  const end = digestLoosely(site.box);
  if (ends.has(end)) return true;
  ends.add(end);
  return false;
}

function look(site: Site, { status }: Ran) {
  const left = site.journal();
  const events = eventsOf(left);
  const settled = events.findLast(({ type }) => type === "settled") ?? { type: "none" };
  const isKept = settled.type === "settled" && settled["action"] !== "rollback";
  const isOver = status !== 11 && (events.at(-1)?.type === "tick_ended" || left === "");
  return { left, settled, isKept, isOver, at: site.look() };
}

/**
 * The report says where work could not be kept. After a rollback that failed, its repetition is the last event. A published copy that could not be written is named on standard error. A lock that git cannot remove stays, and the next
 * run names it: only a person can know whose it is.
 */
function isTold(failure: string, ran: Ran, failed: string | undefined): boolean {
  if (failure === "the work is not in salvage") return ran.stdout.includes("not kept in salvage: the work");
  if (failure === "the last event is settled") return codeOf(ran) === "BLOCKED_ROLLBACK_FAILED";
  if (/^relais\/.* is missing$|^the ledger is not|^the report is another/.test(failure))
    return ran.stderr.includes("relais/");
  return (
    failure.startsWith("next tick:") && failure.includes('"cause":"git_lock"') && failed?.endsWith(".lock") === true
  );
}

function isUnharmed(ran: Ran, kind: Kind, deed: Deed): boolean {
  return deed === "tick" ? codeOf(ran) === codeWithoutFault(kind) : ran.status === 0;
}

const codeWithoutFault = (kind: Kind): string => revertedWith(kind) ?? "SUCCESS";

interface Answer {
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly message?: unknown;
}

function answerOf({ stdout }: Ran): Answer | null {
  try {
    const answer: unknown = JSON.parse(stdout);
    return typeof answer === "object" ? answer : null;
  } catch {
    return null;
  }
}

const codeOf = (ran: Ran): unknown => answerOf(ran)?.code;

function saidBy(ran: Ran): string {
  const answer = answerOf(ran);
  return answer === null
    ? `${ran.status} ${ran.stdout}${ran.stderr}`
    : `${ran.status} ${String(answer.code)} ${String(answer.cause)} ${String(answer.message)}`;
}

const WORDS = {
  ENOSPC: /no space left/i,
  EIO: /i\/o error|input\/output error/i,
  EROFS: /read-only file system/i,
} as const;

/** relais ends by itself, with a code of the table, and names what went wrong, or passes on what git said. */
function endProblems(ran: Ran, { kind, fault, deed }: Meeting & { readonly kind: Kind }): readonly string[] {
  const code = codeOf(ran);
  if (ran.signal !== null) return [`it was ended by ${ran.signal}`];
  if (isUnharmed(ran, kind, deed)) return [];
  // A recovery that is done lists what could not be written.
  const isDone = deed === "recovery" && ran.stdout.startsWith('{"kind":"recovered"');
  if (!isDone && (typeof code !== "string" || !(code in CODES))) return [`it says no code: ${saidBy(ran)}`];
  if (fault.mode === "clock") return [];
  const isNamed = WORDS[fault.error].test(ran.stdout) || /: git [a-z-]+: |"git [a-z-]+: /.test(ran.stdout);
  return isNamed ? [] : [`it does not say what went wrong: ${ran.stdout}`];
}
