/**
 * Reads the messages of a session and checks their address. The drop folder is new for each session, but a worker may
 * still copy an old file or one of another campaign, which must not count.
 */
import { CampaignClaim, CampaignSignal, CampaignVerdict, type WorkerWords } from "../../records/campaign-messages.ts";
import { joinProblems, type Parsed, parseWith } from "../../base/schema-error.ts";
import { decodeUtf8, extractAnswer } from "../../base/strict-json.ts";
import type { ReadDecision } from "../../checks/pure/review-plan.ts";
import type { BuilderBrief, BuilderWords } from "./workflow.ts";

export interface Address {
  readonly slug: string;
  readonly iteration: number;
  readonly story: string;
  readonly nonce: string;
}

export const CLAIM_FILE = "done-claim.json";
export const MEMORY_FILE = "memory.md";
export const CONTEXT_FILE = "context-latest.md";

type ReadResult = ReturnType<BuilderBrief["read"]>;

const KEYS = ["slug", "iteration", "story", "nonce"] as const;

function findAddressProblem(message: Address, expected: Address): string | null {
  const wrong = KEYS.find((key) => message[key] !== expected[key]);
  if (wrong === undefined) return null;
  return `\`${wrong}\` is ${JSON.stringify(message[wrong])} and not that of this session`;
}

interface Notes {
  readonly memory: string;
  readonly context: string;
}

export function readWorker({ result, proposals }: BuilderWords, address: Address, before: Notes): ReadResult {
  const extracted = extractAnswer(result);
  if (extracted.kind === "refused") return refuseMessage(`signal_${extracted.cause}`, extracted.message);
  const signal = read(parseWith(CampaignSignal, extracted.value), address, "signal");
  if (signal.kind === "invalid") return signal;
  const claim = signal.value.status === "verify" ? readClaim(proposals, address) : null;
  if (claim?.kind === "invalid") return claim;
  const words: WorkerWords = {
    signal: signal.value,
    claim: claim?.value ?? null,
    memory: readChangedText(proposals.get(MEMORY_FILE), before.memory),
    context: readChangedText(proposals.get(CONTEXT_FILE), before.context),
  };
  return { kind: "valid", summary: signal.value.summary, data: words };
}

function readClaim(proposals: BuilderWords["proposals"], address: Address) {
  const data = proposals.get(CLAIM_FILE);
  if (data === undefined) return refuseMessage("claim_missing", `\`verify\` needs ${CLAIM_FILE} in the drop folder`);
  const extracted = extractAnswer(data);
  if (extracted.kind === "refused") return refuseMessage(`claim_${extracted.cause}`, extracted.message);
  return read(parseWith(CampaignClaim, extracted.value), address, "claim");
}

function read<T extends Address>(parsed: Parsed<T>, address: Address, kind: string) {
  if (parsed.kind === "invalid") return refuseMessage(`${kind}_invalid`, joinProblems(parsed.problems));
  const problem = findAddressProblem(parsed.value, address);
  return problem === null ? parsed : refuseMessage(`${kind}_foreign`, problem);
}

function refuseMessage(cause: string, message: string) {
  return { kind: "invalid", cause, message } as const;
}

/** Null if it is the same, missing, or not text. */
function readChangedText(data: Uint8Array | undefined, before: string): string | null {
  const text = data === undefined ? null : (decodeUtf8(data)?.replaceAll("\0", "") ?? null);
  return text === null || text.trim() === before.trim() ? null : text;
}

/** Only `pass` approves. An issue is about an existing criterion or a command. */
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
