/**
 * Tries every labelled change of lab/judgement with every policy, and prints who was wrong. Words limit it: a policy
 * (`trust`, `checks`, `default`, a value of `verification.oracle`, `held-out`), a label, a class, a language, a case. The
 * labels are proven first; `--labels` stops there, `--decide` skips it, and `--write` keeps the row of each
 * policy in lab/judgement/measured.json.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { mergeRows } from "../measured.ts";
import { findMissingPrograms } from "./find-programs.ts";
import { countDecisions, listRows, type Outcome } from "./judgement-table.ts";
import { type Base, type Corpus, type LabelledCase, readCorpus } from "./labelled-case.ts";
import { listPolicies, type Policy, USUAL_POLICIES } from "./policies.ts";
import { proveLabel } from "./prove-label.ts";

const ROOT = resolve(".");
const MEASURED = "lab/judgement/measured.json";
const AT_ONCE = 2;
const FLAGS = ["--labels", "--decide", "--write"];

const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const corpus = readCorpus(ROOT);
const policies = choosePolicies();
const missing = await findMissingPrograms(corpus);
const cases = chooseCases(corpus);
for (const program of missing) console.log(`skipped without ${program}: ${listSkipped(program).join(", ")}`);

const folder = mkdtempSync(join(tmpdir(), "relais-judged-"));
try {
  const proven = flags.includes("--decide") || (await proveAll());
  const decided = flags.includes("--labels") || (await decideAll());
  process.exitCode = proven && decided ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function choosePolicies(): readonly Policy[] {
  const all = listPolicies();
  const chosen = all.filter(({ word }) => words.includes(word));
  return chosen.length > 0 ? chosen : all.filter(({ word }) => USUAL_POLICIES.includes(word));
}

function chooseCases({ cases: all }: Corpus): readonly LabelledCase[] {
  const limits = words.filter((word) => !listPolicies().some((policy) => policy.word === word));
  const unknown = [
    ...limits.filter((word) => !all.some((labelled) => listNames(labelled).includes(word))),
    ...flags.filter((flag) => !FLAGS.includes(flag)),
  ];
  if (unknown.length > 0) throw new Error(`nothing is called ${unknown.join(", ")}; flags: ${FLAGS.join(" ")}`);
  const isWanted = (labelled: LabelledCase): boolean =>
    limits.length === 0 || limits.some((word) => listNames(labelled).includes(word));
  return all.filter((labelled) => isWanted(labelled) && !baseOf(labelled).needs.some((one) => missing.includes(one)));
}

/** Every word that selects a case. */
function listNames({ id, kind, label, language, base }: LabelledCase): readonly string[] {
  return [id, id.slice(kind.length + 1), kind, label, language, base];
}

function listSkipped(program: Base["needs"][number]): readonly string[] {
  return corpus.cases.filter((labelled) => baseOf(labelled).needs.includes(program)).map(({ id }) => id);
}

function baseOf({ base, id }: LabelledCase): Base {
  const found = corpus.bases.get(base);
  if (found === undefined) throw new Error(`${id}: there is no base ${base}`);
  return found;
}

async function forEach<T>(entries: readonly T[], work: (entry: T) => Promise<void>): Promise<void> {
  const queue = [...entries];
  const take = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}

async function proveAll(): Promise<boolean> {
  const failed: string[] = [];
  await forEach(cases, async (labelled) => {
    const faults = await proveLabel({ root: ROOT, base: baseOf(labelled), labelled });
    for (const fault of faults) console.log(`${labelled.id}: ${fault}`);
    if (faults.length > 0) failed.push(labelled.id);
  });
  console.log(`labels: ${cases.length - failed.length} of ${cases.length} proven`);
  return failed.length === 0;
}

interface Decided {
  readonly outcomes: readonly Outcome[];
  /** Trials that ended without a decision, which prove nothing. */
  readonly failed: readonly string[];
}

/** Tries every case with every policy, in the order of the cases. */
async function tryAll(executable: string): Promise<Decided> {
  const trials = cases.flatMap((labelled) => policies.map((policy) => ({ labelled, policy })));
  const outcomes = new Map<(typeof trials)[number], Outcome>();
  const failed: string[] = [];
  await forEach(trials, async (trial) => {
    const { labelled, policy } = trial;
    try {
      const decision = await policy.decide({ root: ROOT, executable, base: baseOf(labelled), labelled });
      outcomes.set(trial, { ...decision, labelled, policy });
      console.error(`${labelled.label}\t${labelled.id}\t${policy.word}\t${decision.reason}`); // An interrupted run is not lost.
    } catch (error) {
      failed.push(`${labelled.id}, ${policy.title}: ${String(error)}`);
    }
  });
  return { outcomes: trials.flatMap((trial) => outcomes.get(trial) ?? []), failed };
}

async function decideAll(): Promise<boolean> {
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
  cpSync("dist", join(folder, "dist"), { recursive: true }); // A build in the meantime must not change what is tried.
  const { outcomes, failed } = await tryAll(join(folder, "dist/relais.cjs"));
  const run = { policies, cases, outcomes };
  const rows = listRows(run);
  console.table(countDecisions(run).map(({ wrong, ...row }) => ({ ...row, ...wrong })));
  console.log(JSON.stringify(rows, null, 2));
  for (const failure of failed) console.log(`not decided: ${failure}`);
  if (flags.includes("--write") && failed.length === 0) {
    const machine = { date: new Date().toISOString().slice(0, 10), node: process.version, platform: process.platform };
    mergeRows(
      MEASURED,
      rows.map((row) => ({ ...machine, ...row })),
      ({ policy }) => policy,
    );
  }
  return failed.length === 0;
}
