import type { SessionProcess } from "../../src/records/session-process.ts";
import type { JobResult, JobSpec, JobSpent, JobTerms } from "../../src/queue/pure/job.ts";

/** What a worker in its own process can do. */
export type ChildCommand =
  | {
      readonly do: "claim";
      readonly leaseMs: number;
      readonly labels?: readonly string[];
      readonly until?: "once" | "signal" | "drain";
    }
  | { readonly do: "submit"; readonly spec: JobSpec; readonly terms: JobTerms; readonly id?: string }
  | { readonly do: "started"; readonly process: SessionProcess }
  | { readonly do: "append"; readonly lines: readonly string[] }
  | { readonly do: "attach"; readonly name: string; readonly text: string }
  | { readonly do: "spend"; readonly spent: JobSpent }
  | { readonly do: "finish"; readonly result?: Partial<JobResult> }
  | { readonly do: "is-lost" }
  | { readonly do: "next-ask" };

export async function* toBytes(text: string): AsyncGenerator<Uint8Array, void> {
  const data = Buffer.from(text);
  for (let at = 0; at < data.length; at += 3) yield data.subarray(at, at + 3);
}
