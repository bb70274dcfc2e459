/** The end of one attempt at a job, recorded with the token of its claim. */
import * as v from "valibot";
import type { Claim, Engine } from "../queue/pure/engine.ts";
import { JobResult } from "../queue/pure/job.ts";
import { parseWith } from "../base/schema-error.ts";
import { readClockMs } from "../system/clock.ts";
import type { BudgetedClaim } from "../fleet/budgeted-claim.ts";
import { JOB_FILES } from "./collect-job.ts";

export type JobEnding =
  | { readonly kind: "finished"; readonly result: JobResult }
  /** It waits again. */
  | { readonly kind: "released"; readonly why: string }
  /** Somebody else has the job now. */
  | { readonly kind: "fenced" };

export const FENCED: JobEnding = { kind: "fenced" };

/** The result is attached first: a successor of a worker that is lost in between finishes with it. */
export async function finishJob(claim: Claim, result: JobResult): Promise<JobEnding> {
  const attached = await claim.attach(JOB_FILES.result, streamText(`${JSON.stringify(result)}\n`));
  if (attached === "fenced") return FENCED;
  return (await claim.finish(result)) === "fenced" ? FENCED : { kind: "finished", result };
}

export async function releaseJob(claim: Claim, why: string, notBefore: string | null): Promise<JobEnding> {
  await claim.release(why, notBefore);
  return { kind: "released", why };
}

/** It can be read several times. */
function streamText(text: string): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield await Promise.resolve(Buffer.from(text));
    },
  };
}

/** The result of an attempt whose worker was lost before it could record it; null where there is none. */
export async function findKeptResult(
  engine: Pick<Engine, "find" | "readAttachment">,
  { job }: Claim,
): Promise<JobResult | null> {
  const view = await engine.find(job);
  const lost = view?.losses.at(-1)?.attempt;
  const kept = view?.attachments.findLast(({ name, attempt }) => name === JOB_FILES.result && attempt === lost);
  const bytes = kept === undefined ? null : await engine.readAttachment(job, kept.attempt, kept.name);
  if (bytes === null) return null;
  const parsed = parseWith(v.pipe(v.string(), v.parseJson(), JobResult), await readText(bytes));
  return parsed.kind === "valid" ? parsed.value : null;
}

async function readText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Where a service that refused a session did not say when it answers again. */
const RETRY_MS = 15 * 60 * 1000;

/** The agent's service refused a session: no worker calls it before that time. */
export async function releaseLimited(
  { engine, claim }: { readonly engine: Pick<Engine, "limits">; readonly claim: Claim },
  limit: { readonly agent: string; readonly until: string } | null,
): Promise<JobEnding> {
  const until = limit?.until ?? new Date(readClockMs() + RETRY_MS).toISOString();
  if (limit !== null) await engine.limits.block(limit.agent, until);
  const who = limit === null ? "The agent's service" : `The service of ${limit.agent}`;
  return releaseJob(claim, `${who} refused a session: a limit until ${until}.`, until);
}

const LOOK_MS = 60 * 60 * 1000;

/** The job waits for the next day, or looks again in an hour; null while the team has something left. */
export async function releaseOverBudget(
  claim: Claim,
  { readOver }: Pick<BudgetedClaim, "readOver">,
): Promise<JobEnding | null> {
  const over = readOver();
  if (over === null) return null;
  const until = over.until ?? new Date(readClockMs() + LOOK_MS).toISOString();
  return releaseJob(claim, `BLOCKED_BUDGET_CAP: ${over.why}. It waits until ${until}.`, until);
}
