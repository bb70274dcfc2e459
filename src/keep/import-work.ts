/** Takes the work of an attempt over, from the state directory that it had to its own. */
import type { KeptWork } from "../records/kept-work.ts";
import type { Report } from "../records/report.ts";
import {
  type ContentStore,
  copyLargeFile,
  locateLargeFile,
  openContentStore,
  readContents,
  storeBlobs,
} from "../store/content-store.ts";
import type { Environment } from "../base/environment.ts";
import { findWork } from "./keep-work.ts";

interface AttemptState {
  readonly stateDirectory: string;
  readonly environment: Environment;
}

/** Null where nothing was kept. The content is in this store afterwards. */
export async function importWork(
  { stateDirectory, environment }: AttemptState,
  report: Report,
  store: ContentStore,
): Promise<KeptWork | null> {
  const kind = report.settle?.action === "rollback" ? "salvage" : "accepted";
  const found = await findWork({ stateDirectory, lines: [] }, kind, report.run_id);
  if (found.kind !== "found" || found.work.files.length === 0) return null;
  const from = await openContentStore(stateDirectory, environment);
  const sides = found.work.files.flatMap(({ before, after }) => [before, after]);
  const wanted = sides.flatMap((side) => (typeof side?.id === "string" ? [{ id: side.id, size: side.size }] : []));
  const large = wanted.filter(({ id }) => locateLargeFile(from, id) !== null);
  for (const { id } of large) copyLargeFile(from, store, id);
  const contents = await readContents(
    from,
    wanted.filter((want) => !large.includes(want)),
  );
  storeBlobs(store, [...contents.values()]);
  return found.work;
}
