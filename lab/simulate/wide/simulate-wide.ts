/** One wide world from its first command to its end. */
import * as v from "valibot";
import { SeriesSummary } from "../../../src/records/series.ts";
import { readErrorCode } from "../../../src/system/read-files.ts";
import { type Answer, answerQuestion, decideLast, runCommand, runRecovery } from "./commands.ts";
import { findFoldDifference } from "./compare-folds.ts";
import { foldLines } from "../../../src/records/folded-lines.ts";
import { befall } from "./faults.ts";
import { layOut } from "./model-work.ts";
import type { WidePlan } from "./plan.ts";
import { setWorld } from "./stage.ts";
import { type SimulatedProcess, World } from "./world.ts";

export interface WideEnd {
  readonly violation: Error | null;
  readonly ticks: number;
  readonly refused: number;
  readonly events: number;
  readonly steps: number;
  readonly codes: ReadonlyMap<string, number>;
}

/** Enough for every series of the model to come to its end. */
const LAST_STARTS = 12;

export async function simulateWide(plan: WidePlan, trace: ((line: string) => void) | null): Promise<WideEnd> {
  const world = new World(plan, trace);
  setWorld(world);
  world.meanwhile = (fault, by) => befall(world, fault, { by, runAlone: (work) => runAlone(world, work) });
  const end = (violation: Error | null): WideEnd => {
    const { ticks, refused, events, codes } = world.watch;
    return { violation, ticks, refused, events, steps: world.steps, codes };
  };
  try {
    layOut(world);
    for (let start = 0; start < plan.starts; start += 1) await startCommand(world);
    world.isRough = false;
    world.isFull = false;
    world.tell(() => "=== nothing goes wrong any more");
    await bringToEnd(world);
    return end(world.broken);
  } catch (error) {
    return end(error instanceof Error ? error : new Error(String(error)));
  } finally {
    setWorld(null);
  }
}

async function startCommand(world: World): Promise<Answer> {
  const answer = await runAlone(world, (process) => runCommand(world, process));
  world.tell(() => `=== ${JSON.stringify(answer).slice(0, 300)}`);
  if (answer.kind === "series" && !v.is(v.looseObject({ summary: SeriesSummary }), answer))
    throw world.fail(`a summary that fits no schema: ${JSON.stringify(answer)}`);
  if (answer.kind !== "dead") await decideBetween(world);
  return answer;
}

/** A person decides about a change that waits, and answers a question. */
async function decideBetween(world: World): Promise<void> {
  if (world.repository.listDirty().length > 0 && world.random.below(3) > 0)
    await runAlone(world, (process) => decideLast(world, process, world.random.below(2) === 0 ? "accept" : "undo"));
  if (world.watch.codes.has("STOP_QUESTION")) await runAlone(world, (process) => answerQuestion(process));
}

/** A process that may die, until its answer. */
async function runAlone(world: World, work: (process: SimulatedProcess) => Promise<Answer>): Promise<Answer> {
  const process = world.startProcess();
  try {
    const answer = await Promise.race([work(process), process.death]);
    if (world.broken !== null) throw world.broken;
    process.isDead = true;
    return answer === "dead" ? { kind: "dead" } : answer;
  } catch (error) {
    process.isDead = true;
    if (world.broken !== null) throw world.broken;
    const code = readErrorCode(error);
    if (code === "ENOSPC") return { kind: "failed", code };
    throw error;
  }
}

/** With everything in order, a recovery ends, a second one changes nothing, and the series comes to its end. */
async function bringToEnd(world: World): Promise<void> {
  const answers: string[] = [];
  for (let start = 0; start < LAST_STARTS; start += 1) {
    await recoverTwice(world);
    tidyUp(world);
    const answer = await startCommand(world);
    answers.push(`${answer.kind} ${answer.cause ?? ""}`);
    if (answer.kind === "series" || answer.kind === "ended") {
      const difference = findFoldDifference(foldLines(world.journal.list()), world.watch.folded);
      if (difference !== null) world.fail(`folded at once, ${difference}`);
      return;
    }
  }
  world.fail(`no end after ${LAST_STARTS} commands: ${answers.join("; ")}`);
}

async function recoverTwice(world: World): Promise<void> {
  const first = await runAlone(world, (process) => runRecovery(process, false));
  // A disk that lied may have lost the observation.
  const isUnknown = world.plan.isLying || isShownByGit(world);
  if (first.kind === "blocked" && !isUnknown) throw world.fail(`a recovery fails: ${JSON.stringify(first)}`);
  if (first.kind === "blocked") await runAlone(world, (process) => runRecovery(process, true));
  const before = describeWorld(world);
  await runAlone(world, (process) => runRecovery(process, false));
  if (describeWorld(world) !== before) throw world.fail("a second recovery changes something");
}

/**
 * A power cut may take the observation before any session. Where git shows something then, of a person or of a check,
 * relais asks a person: a builder could have removed the lines of its session.
 */
function isShownByGit({ plan, repository }: World): boolean {
  const dirty = repository.listDirty().map((path) => repository.files.get(path) ?? "person");
  const isOfOthers = dirty.every((text) => text.startsWith("person") || text.endsWith("as a check"));
  return dirty.length > 0 && isOfOthers && plan.faults.some(({ kind }) => kind === "power");
}

function describeWorld({ journal, repository }: World): string {
  return JSON.stringify([journal.lines.length, [...repository.files], repository.head]);
}

/** A person commits what is theirs. */
function tidyUp(world: World): void {
  const model = world.repository;
  const own = new Map(model.committed());
  for (const path of model.listDirty()) {
    const text = model.files.get(path);
    if (text?.startsWith("person") === true) own.set(path, text);
    else if (world.watch.isBlind || text?.endsWith("as a check") === true) model.files.delete(path);
  }
  if (own.size > model.committed().size || [...own].some(([path, text]) => model.committed().get(path) !== text))
    model.commit("person", own);
}
