/** Records evidence of every kind, each with the judgement that a version makes of it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Evidence } from "../../src/contract/evidence/evidence.ts";
import type { Judgement } from "../../src/contract/evidence/judgement.ts";
import { arbitraryEvidence } from "../../test/support/arbitrary-evidence.ts";
import { importSource } from "./import-source.ts";

const SEED = 1;
const TRIED = 3000;
const TEXT_MAX = 6000;
/** So often each gate refuses something, as far as it does in what was tried. */
const OF_EACH_GATE = 6;

/** Arbitrary evidence has none. */
const FAILURES: readonly Evidence["builder_failure"][] = [
  { code: "STOP_BUILDER_TIMEOUT", cause: "timeout" },
  { code: "STOP_PATCH_INVALID", cause: "no_patch" },
];

/** Writes one line for each judgement; `version` is that of the records. */
export async function recordJudgements(checkout: string, version: number, folder: string): Promise<void> {
  const { judge } = await importSource(checkout, "core/judge/judge.ts");
  const lines: string[] = [];
  const seen = new Map<string, number>();
  const samples = fc.sample(arbitraryEvidence, { seed: SEED, numRuns: TRIED });
  const failed = FAILURES.flatMap((builder_failure) =>
    samples.slice(0, 1).map((sample) => ({ ...sample, builder_failure })),
  );
  for (const sample of [...failed, ...samples]) {
    const evidence: Evidence = { ...sample, version };
    const judgement: Judgement = judge(evidence);
    const gates = [...new Set(judgement.findings.map(({ gate }) => gate))];
    const isWanted = gates.some((gate) => (seen.get(gate) ?? 0) < OF_EACH_GATE);
    const line = JSON.stringify({ evidence, judgement });
    if (!isWanted || line.length > TEXT_MAX) continue;
    for (const gate of gates) seen.set(gate, (seen.get(gate) ?? 0) + 1);
    lines.push(line);
  }
  writeFileSync(join(folder, "judgements.jsonl"), `${lines.join("\n")}\n`);
  console.log(`judgements: ${lines.length}, ${JSON.stringify(Object.fromEntries(seen))}`);
}
