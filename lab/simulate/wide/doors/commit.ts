/** Commits of relais, and undo. */
import type { Change } from "../../../../src/records/evidence.ts";
import { MeasurementError } from "../../../../src/base/errors.ts";
import type { CommitOutcome, CommitRequest } from "../../../../src/keep/settle-commit.ts";
import { type KeepWorkRequest, keepWork } from "../../../../src/keep/keep-work.ts";
import { getWorld } from "../stage.ts";

const LIMITS = { filesMax: 1000, fileBytesMax: 1e6, totalBytesMax: 1e7 };

export const keepAccepted = (request: KeepWorkRequest) => keepWork(request, { kind: "accepted", limits: LIMITS });

/** The base plus exactly these paths, if HEAD is still the base. Files of the runner are written with their commit. */
export async function commitAccepted(request: CommitRequest): Promise<CommitOutcome> {
  const world = getWorld();
  const model = world.repository;
  const process = world.processOf(request.repository.environment);
  await world.step(process, "a commit is made");
  world.watch.actsOn("a commit");
  if (world.isFull) throw new MeasurementError("git", "no space left on device");
  if (model.head !== request.base) throw new MeasurementError("HEAD", "somebody else moved it");
  const files = new Map(model.committed());
  for (const change of request.changes.filter(({ standing }) => standing !== "ignored")) apply(files, change);
  const isEmpty = [...files].every(([path, text]) => model.committed().get(path) === text);
  if (isEmpty && files.size === model.committed().size) return { kind: "nothing-to-commit" };
  const commit = model.commit("relais", files);
  world.watch.change.committed(commit);
  await world.step(process, "committed");
  return { kind: "committed", commit, branch: "work", notes: [] };
}

function apply(files: Map<string, string>, { path, after }: Change): void {
  const model = getWorld().repository;
  if (after === null) files.delete(path);
  else files.set(path, model.textOf(after.id ?? ""));
}

export const listCommittedEntries = (): readonly never[] => [];
