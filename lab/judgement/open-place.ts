/** Makes a fresh repository for one case: the base, the files that a person put there before, one commit, the setup. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gitEnvironment } from "../../test/support/repositories.ts";
import { layOver } from "./apply-change.mjs";
import { type ProgramEnd, runBounded } from "./bounded-program.ts";
import { BEFORE, type Base, type Check, HELD_OUT, type LabelledCase, TREE } from "./labelled-case.ts";

export interface Place {
  /** The folder around the repository. */
  readonly box: string;
  readonly tree: string;
  readonly run: (argv: readonly string[], seconds?: number) => Promise<ProgramEnd>;
}

export interface PlaceRequest {
  /** The root of this repository. */
  readonly root: string;
  readonly base: Base;
  readonly labelled: LabelledCase;
  /** Committed with the base, such as the configuration of relais; the box is the folder around the tree. */
  readonly makeFiles?: (box: string) => Readonly<Record<string, string>>;
}

const SECONDS = 120;

/** Opens a place, lends it and removes it. */
export async function withPlace<T>(request: PlaceRequest, work: (place: Place) => Promise<T>): Promise<T> {
  const box = realpathSync(mkdtempSync(join(tmpdir(), "relais-judgement-")));
  try {
    return await work(await openPlace(box, request));
  } finally {
    rmSync(box, { recursive: true, force: true });
  }
}

async function openPlace(box: string, { root, base, labelled, makeFiles }: PlaceRequest): Promise<Place> {
  const tree = join(box, "repo");
  for (const name of ["repo", "state", "tmp"]) mkdirSync(join(box, name));
  const env = makeEnvironment(box);
  const run: Place["run"] = (argv, seconds = SECONDS) => runBounded({ argv, cwd: tree, env, seconds });
  layOver(base.sections, TREE, tree);
  layOver(labelled.sections, BEFORE, tree);
  writeFileSync(join(box, HELD_OUT), labelled.heldOut);
  for (const [path, text] of Object.entries(makeFiles?.(box) ?? {})) writeFileSync(join(tree, path), text);
  for (const args of [
    ["init", "-q", "--template="],
    ["add", "-A"],
    ["commit", "-qm", "the base"],
  ])
    await demand(run(["git", ...args]), labelled);
  for (const [path, name] of Object.entries(base.links ?? {})) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(tree, path));
  }
  for (const argv of base.setup ?? []) await demand(run(argv), labelled);
  return { box, tree, run };
}

async function demand(running: Promise<ProgramEnd>, { id }: LabelledCase): Promise<void> {
  const { status, output } = await running;
  if (status !== 0) throw new Error(`${id}: its place cannot be made: ${output}`);
}

/** That of the person who runs this, but for what npm, vitest and Node's test runner add for their own children. */
function makeEnvironment(box: string): Readonly<Record<string, string | undefined>> {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITEST|GIT_|RELAIS_|CI$)/i.test(name));
  const git = Object.entries(gitEnvironment(box)).filter(([name]) => name.startsWith("GIT_"));
  return {
    ...Object.fromEntries([...own, ...git]),
    XDG_STATE_HOME: join(box, "state"),
    TMPDIR: join(box, "tmp"),
  };
}

/** Runs the visible checks in order until one fails, and names that one. */
export async function findRedCheck(place: Place, checks: readonly Check[]): Promise<string | null> {
  for (const { id, cmd, args } of checks) {
    const { status } = await place.run([cmd, ...args]);
    if (status !== 0) return id;
  }
  return null;
}

export async function passesHeldOut(place: Place): Promise<boolean> {
  const { status } = await place.run([process.execPath, join(place.box, HELD_OUT)]);
  return status === 0;
}
