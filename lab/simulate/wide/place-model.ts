/** A workplace in the worktree of the model: T0, the change since, and the way back. */
import type { Change, EntrySide, Evidence, Rules } from "../../../src/records/evidence.ts";
import type { Observation } from "../../../src/base/manifest.ts";
import { RECORD_VERSION } from "../../../src/base/record-version.ts";
import { MeasurementError } from "../../../src/base/errors.ts";
import { RollbackError } from "../../../src/base/rollback-error.ts";
import type { Repository } from "../../../src/git/repository-layout.ts";
import {
  type Candidate,
  type ChangeView,
  makeTrial,
  type Place,
  type PlaceRecovery,
  type Settlement,
  type Workplace,
} from "../../../src/place/workplace.ts";
import { BRANCH, listDifferences, ROOT, type Snapshot } from "./repository-model.ts";
import type { SimulatedProcess, World } from "./world.ts";

/** What is below it is of relais and no change. */
const OWN = /^relais\/(?:goals|campaigns|history)\//;

const snapshots = new WeakMap<Observation, Snapshot>();

function observe(world: World, snapshot: Snapshot): Observation {
  const observation: Observation = { takenAt: world.nowMs, worktree: new Map(), git: new Map() };
  snapshots.set(observation, snapshot);
  return observation;
}

function lookUp(observation: Observation): Snapshot {
  const found = snapshots.get(observation);
  if (found === undefined) throw new Error("an observation of another world");
  return found;
}

export function makeSide(world: World, text: string): EntrySide {
  const id = world.repository.identify(text);
  return { type: "file", mode: "0644", size: text.length, id, link_target: null, hard_links: 1 };
}

function makeChange(world: World, path: string, [before, after]: readonly (string | undefined)[]): Change {
  return {
    path,
    path_base64: null,
    before: before === undefined ? null : makeSide(world, before),
    after: after === undefined ? null : makeSide(world, after),
    standing: before === undefined ? "untracked" : "tracked",
    lines_added: after === undefined ? 0 : 1,
    lines_deleted: before === undefined ? 0 : 1,
    bytes_changed: (before?.length ?? 0) + (after?.length ?? 0),
    inside_repository: null,
    collides_with: null,
    made_readable: false,
  };
}

interface PlaceOptions {
  readonly world: World;
  readonly process: SimulatedProcess;
  readonly repository: Repository;
  readonly runDirectory: string;
}

export function makePlace({ world, process, repository, runDirectory }: PlaceOptions): Workplace {
  const model = world.repository;
  let start: Snapshot | null = null;
  const requireStart = (): Snapshot => {
    if (start === null) throw new RollbackError("there is no observation", []);
    return start;
  };
  const listChanged = ({ observation }: Pick<Candidate, "observation">): readonly string[] => {
    const before = lookUp(observation);
    const paths = listDifferences(model.files, before.files).filter((path) => !OWN.test(path));
    return before.head === model.head ? paths : [...paths, "git: HEAD"];
  };
  /** A person may have edited or committed since: that is saved first. */
  const restore = (target: Snapshot): void => {
    // What was saved is on the disk before anything is reverted.
    if (!world.plan.isLying) world.files.sync();
    for (const [path, text] of model.files) if (target.files.get(path) !== text) model.rescued.add(text);
    for (let at = model.head; at !== target.head && at !== ""; at = model.commits.get(at)?.parent ?? "")
      for (const text of model.commits.get(at)?.files.values() ?? []) model.rescued.add(text);
    model.files = new Map(target.files);
    model.head = target.head;
  };
  const steps = {
    observe: async () => {
      await world.step(process, "the worktree is observed");
      return observe(world, model.look());
    },
    bringBack: async (kept: Observation) => {
      await world.step(process, "the worktree is brought back");
      restore(lookUp(kept));
      await world.step(process, "brought back");
    },
  };
  const change: ChangeView = {
    ...steps,
    trial: makeTrial({ ...steps, runDirectory, rewind: (observation) => observation }),
    prepare: async () => {
      await world.step(process, "everything is observed");
      start = model.look();
      const observationSha256 = world.makeName().padStart(64, "0");
      world.files.write(`/state/observation/${observationSha256}`, start);
      world.watch.change.begin(start);
      return observationSha256;
    },
    collect: async (rules) => {
      await world.step(process, "the change is collected");
      const now = model.look();
      world.watch.change.collected(now.files);
      return {
        evidence: makeEvidence(world, { rules, before: requireStart(), now }),
        observation: observe(world, now),
      };
    },
    clean: async (candidate) => {
      await world.step(process, "git's data is cleared");
      return { changed: listChanged(candidate), candidate };
    },
    changedSince: async (candidate) => {
      await world.step(process, "the worktree is compared");
      return listChanged(candidate);
    },
    originalEdits: () => Promise.resolve([]),
    putBackFile: () => Promise.resolve(),
    foresee: () => Promise.reject(new Error("no patch is modelled")),
    write: () => Promise.reject(new Error("no patch is modelled")),
    hideSecrets: async (_rules, words) => words,
  };
  const settlement: Settlement = {
    merge: async (candidate) => {
      await world.step(process, "the change is merged");
      if (model.head !== requireStart().head) throw new MeasurementError("HEAD", "it moved");
      const changed = listChanged(candidate);
      world.watch.change.merged(changed);
      return changed;
    },
    discard: async () => {
      await world.step(process, "the worktree is reverted");
      if (world.isFull) throw new RollbackError("no space left", []);
      world.watch.actsOn("a rollback");
      world.watch.change.checkSaved(requireStart());
      restore(requireStart());
      await world.step(process, "reverted");
      return [];
    },
    noteOwnFiles: () => Promise.resolve(),
    reopen: () => Promise.resolve(),
  };
  const recovery: PlaceRecovery = {
    resume: async (sha256) => {
      await world.step(process, "the observation is read");
      const kept = world.files.read(`/state/observation/${sha256}`);
      if (!isSnapshot(kept)) throw new RollbackError("the observation is lost", []);
      start = kept;
      world.watch.change.begin(start);
    },
    revertMerge: () => Promise.resolve([]),
    review: () => Promise.resolve([]),
  };
  const place: Place = {
    isolation: "in_place",
    repository,
    cwd: ROOT,
    tree: ROOT,
    enclosure: null,
    watchGrowth: () => ({ signal: new AbortController().signal, findExcess: () => null, end: () => {} }),
    close: () => Promise.resolve(),
  };
  return { place, change, settlement, recovery };
}

function isSnapshot(value: unknown): value is Snapshot {
  return typeof value === "object" && value !== null && "files" in value && "head" in value;
}

interface Measured {
  readonly rules: Rules;
  readonly before: Snapshot;
  readonly now: Snapshot;
}

function makeEvidence(world: World, { rules, before, now }: Measured): Evidence {
  const paths = listDifferences(now.files, before.files).filter((path) => !OWN.test(path));
  return {
    version: RECORD_VERSION,
    rules,
    builder_failure: null,
    head: { before: { text: BRANCH, commit: before.head }, after: { text: BRANCH, commit: now.head } },
    metadata: [],
    changes: paths.toSorted().map((path) => makeChange(world, path, [before.files.get(path), now.files.get(path)])),
    attributes_touched: { count: 0, paths: [] },
  };
}
