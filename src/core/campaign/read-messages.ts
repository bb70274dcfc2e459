/**
 * Reads what a session left, and whether it is this session's at all.
 *
 * The drop folder is new for each session, so nothing old can lie there by itself. A worker may still copy an old file
 * or one of another campaign, and that must not pass for word about this one.
 */
import {
  CampaignClaim,
  CampaignSignal,
  CampaignVerdict,
  type WorkerWords,
} from "../../contract/workflows/campaign-messages.ts";
import { type Parsed, parseWith } from "../../contract/schema/schema-error.ts";
import { extractAnswer } from "../documents/extract-answer.ts";
import type { ReadDecision } from "../review/review-plan.ts";
import type { BuilderBrief, BuilderWords } from "../workflow/builder-brief.ts";

/** Whose message is expected. */
export interface Address {
  readonly slug: string;
  readonly iteration: number;
  readonly story: string;
  readonly nonce: string;
}

export const CLAIM_FILE = "done-claim.json";
export const MEMORY_FILE = "memory.md";
export const CONTEXT_FILE = "context-latest.md";

type Read = ReturnType<BuilderBrief["read"]>;

const KEYS = ["slug", "iteration", "story", "nonce"] as const;

/** The first part of an address that is not as expected, as a sentence; null where all of it is. */
function addressProblem(message: Address, expected: Address): string | null {
  const wrong = KEYS.find((key) => message[key] !== expected[key]);
  if (wrong === undefined) return null;
  return `\`${wrong}\` is ${JSON.stringify(message[wrong])} and not that of this session`;
}

interface Notes {
  readonly memory: string;
  readonly context: string;
}

/** Reads everything that a worker left. */
export function readWorker({ result, proposals }: BuilderWords, address: Address, before: Notes): Read {
  const extracted = extractAnswer(result);
  if (extracted.kind === "refused") return invalid(`signal_${extracted.cause}`, extracted.message);
  const signal = read(parseWith(CampaignSignal, extracted.value), address, "signal");
  if (signal.kind === "invalid") return signal;
  const claim = signal.value.status === "verify" ? readClaim(proposals, address) : null;
  if (claim?.kind === "invalid") return claim;
  const words: WorkerWords = {
    signal: signal.value,
    claim: claim?.value ?? null,
    memory: changed(proposals.get(MEMORY_FILE), before.memory),
    context: changed(proposals.get(CONTEXT_FILE), before.context),
  };
  return { kind: "valid", summary: signal.value.summary, data: words };
}

function readClaim(proposals: BuilderWords["proposals"], address: Address) {
  const data = proposals.get(CLAIM_FILE);
  if (data === undefined) return invalid("claim_missing", `\`verify\` needs ${CLAIM_FILE} in the drop folder`);
  const extracted = extractAnswer(data);
  if (extracted.kind === "refused") return invalid(`claim_${extracted.cause}`, extracted.message);
  return read(parseWith(CampaignClaim, extracted.value), address, "claim");
}

function read<T extends Address>(parsed: Parsed<T>, address: Address, kind: string) {
  if (parsed.kind === "invalid") return invalid(`${kind}_invalid`, wordsOf(parsed));
  const problem = addressProblem(parsed.value, address);
  return problem === null ? parsed : invalid(`${kind}_foreign`, problem);
}

const PROBLEMS_MAX = 5;

function wordsOf({ problems }: Extract<Parsed<unknown>, { kind: "invalid" }>): string {
  return problems
    .slice(0, PROBLEMS_MAX)
    .map(({ message }) => message)
    .join("; ");
}

function invalid(cause: string, message: string) {
  return { kind: "invalid", cause, message } as const;
}

/** A text that differs from the one before; null where it is the same, is missing, or is no text. */
function changed(data: Uint8Array | undefined, before: string): string | null {
  const text = data === undefined ? null : decoded(data);
  return text === null || text.trim() === before.trim() ? null : text;
}

function decoded(data: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data).replaceAll("\0", "");
  } catch {
    return null;
  }
}

/** Reads a verdict. Only `pass` approves, and an issue is about a criterion that exists or a command. */
export function readVerdict(
  document: Readonly<Record<string, unknown>>,
  address: Address,
  criteria: readonly string[],
): ReadDecision {
  const verdict = read(parseWith(CampaignVerdict, document), address, "verdict");
  if (verdict.kind === "invalid") return { kind: "invalid", message: `${verdict.cause}: ${verdict.message}` };
  const { issues, questions, blocker, summary } = verdict.value;
  const unknown = issues.find(({ criterion }) => !criteria.includes(criterion) && !criterion.startsWith("command "));
  if (unknown !== undefined)
    return { kind: "invalid", message: `there is no criterion ${JSON.stringify(unknown.criterion)} here` };
  const reasons = [
    ...issues.map(({ severity, criterion, description }) => `[${severity}] ${criterion}: ${description}`),
    ...questions,
    ...(blocker === null ? [] : [blocker]),
  ];
  const vote = verdict.value.verdict === "pass" ? "approve" : "refuse";
  return { kind: "valid", opinion: { vote, explanation: summary, reasons } };
}
