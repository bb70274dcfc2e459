/**
 * A scenario is one tick through the executable: what is there before, what the builder does, and how it must end.
 *
 * What holds for every tick is checked for every scenario: the status is that of the code, the document on standard
 * output is REPORT.json, the journal ends with the same code, nothing is left locked or lying about, and the repository
 * is exactly what it was but for the paths that the scenario names.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verifyHistory } from "../../lab/second-judge/verify-history.mjs";
import { partOf } from "./part-of.ts";
import type { RepositoryKind } from "./repositories.ts";
import { configOf, type DocumentParts, taskOf, without } from "./scenario-documents.ts";
import { checkOutcome, checkRepository, type Ending, watch } from "./scenario-ending.ts";
import { makeWorld, type Variables, type World } from "./scenario-world.ts";

export interface Scenario extends DocumentParts {
  /** One sentence, and the name of its test. */
  readonly shows: string;
  /** The keys of the configuration without which it would end in another way. */
  readonly keys?: readonly string[];
  /** A repository of this kind in place of the small one. */
  readonly kind?: RepositoryKind;
  /** Committed on top of it. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Variables;
  /** Each relais is a process of its own, because one of them is killed or must leave its lock behind. */
  readonly ownProcess?: boolean;
  /** It happens on a disk, whose times are believed. */
  readonly onDisk?: boolean;
  /** Whether the second judge is asked about all records in the end; not where somebody damages or forges them. */
  readonly checksRecords?: boolean;
  /** Further arguments of `relais run`. */
  readonly args?: readonly string[];
  /** What happens before relais is called; it may answer with variables for that call. */
  readonly before?: (world: World) => void | Variables | Promise<void | Variables>;
  readonly ends: Ending;
  /** Why it does not end like that yet. The test then fails as soon as it does. */
  readonly known?: string;
}

/** A scenario for every code, and some of the others, is played by `npm test`. */
const SAMPLING = { kindOf: ({ ends }: Scenario) => ends.code, oneIn: 20 };

/** Each scenario as a test. They wait for each other so that no more than three run at once. */
export function playAll(scenarios: readonly Scenario[]): void {
  describe.concurrent("ends as it must", () => {
    for (const scenario of partOf(scenarios, SAMPLING)) {
      const kind = scenario.known === undefined ? test : test.fails;
      kind(scenario.shows, () => inTurn(() => play(scenario)));
    }
  });
}

const AT_ONCE = 3;
let running = 0;
const waiting: (() => void)[] = [];

/** Does some work as soon as fewer than three others are at work. */
export async function inTurn(work: () => Promise<void>): Promise<void> {
  if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go));
  else running += 1;
  try {
    await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

/**
 * Plays one scenario and throws where it does not end as it should.
 *
 * Without one of the keys of its configuration it should end in another way, which is what that key is for.
 */
export async function play(scenario: Scenario, withoutKey: string | null = null): Promise<void> {
  const { args = [], ends, before } = scenario;
  await inWorld(
    { ...scenario, checksRecords: true },
    async (world) => {
      const variables = (await before?.(world)) ?? {};
      const earlier = watch(world);
      const ran = await world.run(args, variables);
      const report = checkOutcome(world, ran, ends);
      checkRepository(world, earlier, ends);
      await ends.after?.(world, { ...ran, report });
    },
    withoutKey,
  );
}

/** The second judge, which shares nothing with relais, comes to the same end about every recorded tick. */
function checkRecords({ root, workspace }: World, { checksRecords = false }: Pick<Scenario, "checksRecords">): void {
  if (!checksRecords) return;
  const { ticks } = verifyHistory({ root, workspace });
  expect(ticks.filter(({ result }) => result === "disagrees")).toEqual([]);
}

/** Builds the world of a scenario, does something in it, and removes it. */
export async function inWorld(
  scenario: Omit<Scenario, "shows" | "ends">,
  work: (world: World) => Promise<void>,
  withoutKey: string | null = null,
): Promise<void> {
  const { kind = null, files = {}, env = {}, program, brain, ownProcess = false, onDisk = false } = scenario;
  const config = (box: string): unknown => {
    const whole = configOf(scenario, box);
    return withoutKey === null ? whole : without(whole, withoutKey.split("."));
  };
  const world = makeWorld({ kind, files, variables: env, config, isPlanned: brain !== undefined, ownProcess, onDisk });
  try {
    if (program !== undefined) writeFileSync(join(world.box, "builder.sh"), program);
    if (brain !== undefined) writeFileSync(join(world.box, "brain.sh"), brain);
    const task = taskOf(scenario);
    writeFileSync(join(world.box, "task.json"), typeof task === "string" ? task : JSON.stringify(task));
    await work(world);
    checkRecords(world, scenario);
  } finally {
    rmSync(world.box, { recursive: true, force: true });
  }
}
