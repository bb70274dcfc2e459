/**
 * Tries small mutations of a judged change: what no check notices is not tested. `relais judge --mutate` and a step of a
 * tick use it.
 */
import type { MutationReport, Survivor } from "../../contract/evidence/mutation-report.ts";
import { InvariantError } from "../../contract/values/invariant.ts";
import { chooseMutations } from "../../core/mutation/choose-mutations.ts";
import { applyMutation, listMutations, type Mutation } from "../../core/mutation/list-mutations.ts";
import { compileForbidden } from "../../core/paths/globs.ts";
import { isTestName } from "../../core/weakening/changed-file.ts";
import { toBytePath } from "../../io/files/byte-path.ts";
import { lendOwnFolder } from "../../io/files/temporary-folder.ts";
import { readClockMs } from "../../io/machine/clock.ts";
import { writePlaced } from "../../io/place/write-placed.ts";
import { chooseSandbox } from "../sandbox/tick-sandbox.ts";
import { hasSucceeded, runCommand, runUnchanged, type TimedCommand } from "./mutation-checks.ts";
import { withMutationPlace } from "./mutation-place.ts";
import type { MutationRequest, MutationRun } from "./mutation-request.ts";

export async function runMutations(request: MutationRequest): Promise<MutationReport> {
  const { config, limits, repository, checks, marker } = request;
  const found = findMutations(request);
  const known = { checks: checks.map(({ templateId }) => templateId), possible: found.length };
  if (found.length === 0) return skipMutations("no changed line of JavaScript or TypeScript allows one", known);
  if (checks.length === 0) return skipMutations(limits.words.noCheck, known);
  const sandbox = await chooseSandbox({ repository, config });
  if (sandbox === null && config.sandbox === "required")
    return skipMutations("the sandbox is required and does not work", known);
  const endsAtMs = readClockMs() + limits.seconds * 1000;
  const mutations = chooseMutations(found, limits.count);
  const run = { ...request, mutations, possible: found.length, sandbox, endsAtMs };
  const answer = await lendOwnFolder(request.around, (folder) =>
    withMutationPlace({ repository, config, folder, marker }, (place) => tryAll({ ...run, place })),
  );
  return typeof answer === "string" ? skipMutations(answer, known) : answer;
}

function findMutations({ sources, config }: MutationRequest): readonly Mutation[] {
  const tests = compileForbidden(config.verification.oracle_globs);
  return sources
    .filter(({ path }) => tests(path) === null && !isTestName(path))
    .flatMap(({ path, text, lines }) =>
      listMutations(path, text).filter(({ line }) => lines === null || lines.has(line)),
    );
}

export function skipMutations(
  reason: string,
  known: Pick<MutationReport, "checks" | "possible"> = { checks: [], possible: 0 },
): MutationReport {
  return { skipped: reason, ...known, tried: 0, out_of_time: false, survivors: [] };
}

async function tryAll(run: MutationRun): Promise<MutationReport | string> {
  await run.fill(run.place.tree);
  const usual = await runUnchanged(run);
  if (typeof usual === "string") return usual;
  const survivors: Survivor[] = [];
  let tried = 0;
  for (const mutation of run.mutations) {
    const answer = await tryMutation(run, mutation, usual);
    if (typeof answer !== "string") return answer.reason;
    if (answer === "out of time") break;
    tried += 1;
    const { path, line, column, operator, before, after } = mutation;
    if (answer === "survived") survivors.push({ path, line, column, operator, before, after });
  }
  return {
    skipped: null,
    checks: run.checks.map(({ templateId }) => templateId),
    possible: run.possible,
    tried,
    out_of_time: tried < run.mutations.length,
    survivors: survivors.toSorted(comparePlaces),
  };
}

function comparePlaces(one: Survivor, other: Survivor): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}

/** A reason ends all of them: later mutations would say nothing. */
type Trial = "survived" | "noticed" | "out of time" | { readonly reason: string };

async function tryMutation(run: MutationRun, mutation: Mutation, commands: readonly TimedCommand[]): Promise<Trial> {
  const source = run.sources.find(({ path }) => path === mutation.path);
  if (source === undefined) throw new InvariantError("a mutation of an unknown file");
  const path = toBytePath(mutation.path);
  const put = (text: string): void => writePlaced(run.place.tree, { path, content: Buffer.from(text) });
  put(applyMutation(source.text, mutation));
  try {
    for (const command of commands) {
      const { end, reason } = await runCommand(run, command);
      if (reason !== null) return { reason };
      if (readClockMs() >= run.endsAtMs && end.kind === "timed-out") return "out of time";
      if (!hasSucceeded(end)) return "noticed";
    }
    return "survived";
  } finally {
    put(source.text);
  }
}
