/** What relais keeps in its state directory: documents of kept work, evidence, texts. */
import { getWorld } from "../stage.ts";
import { listDifferences } from "../repository-model.ts";
import type { EntrySide } from "../../../../src/records/evidence.ts";

const redo = {
  write: (path: string, text: string): void => getWorld().files.write(path, text),
  remove: (path: string): void => getWorld().files.remove(path),
  sync: (): void => getWorld().files.sync(),
};

export const openContentStore = (): Promise<object> =>
  Promise.resolve({ gitDir: "/state/store", environment: {}, redo });
export const openRedoLog = (): typeof redo => redo;
export const storePair = (): Promise<null> => Promise.resolve(null);
export const writePairPatch = (): Promise<null> => Promise.resolve(null);
export const dropPair = (): void => {};

/** Content first, then the document: relais may die in between. */
export const writeKept = (_redo: unknown, folder: string, meta: string): void =>
  getWorld().files.write(`${folder}/meta.json`, meta);
export const locateKeptFolder = (state: string, kind: string, runId: string): string => `${state}/${kind}/${runId}`;
export const namePatchPath = (folder: string): string => `${folder}/change.patch`;
export const readKeptMeta = (folder: string): Promise<object> => readText(`${folder}/meta.json`);
export const readKeptPatch = (folder: string): Promise<object> => readText(`${folder}/change.patch`);
export const listFolders = (): Promise<readonly string[]> => Promise.resolve([]);
export const copyKeptPatch = (): Promise<void> => Promise.resolve();

function readText(path: string): Promise<object> {
  const text = getWorld().files.read(path);
  return Promise.resolve(typeof text === "string" ? { kind: "read", data: Buffer.from(text) } : { kind: "missing" });
}

export const readBounded = (path: string): Promise<object> => readText(path);
export const readNow = (path: string): Buffer | null => {
  const { files, repository } = getWorld();
  const text = path.startsWith("/repo/") ? repository.files.get(path.slice(6)) : files.read(path);
  return typeof text === "string" ? Buffer.from(text) : null;
};
export const listFilesIn = (): readonly string[] => [];

export const computeBlobId = (content: Buffer): string => getWorld().repository.identify(content.toString("utf8"));

export async function writeAtomic(path: string, data: string | Uint8Array): Promise<void> {
  const world = getWorld();
  const text = typeof data === "string" ? data : Buffer.from(data).toString("utf8");
  const process = world.held?.process;
  if (process === undefined) throw new Error("a file is written without a lock");
  await world.step(process, `${path} is written`);
  if (world.isFull) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  if (path.startsWith("/repo/")) world.repository.files.set(path.slice(6), text);
  else world.files.write(path, text);
}

export const locateRunDirectory = (state: string, runId: string): string => `${state}/runs/${runId}`;
export const createRunDirectory = (state: string, runId: string, files: Readonly<Record<string, string>>): string => {
  const folder = locateRunDirectory(state, runId);
  for (const [name, text] of Object.entries(files)) redo.write(`${folder}/${name}`, text);
  return folder;
};
export const createRunId = (nowMs: number): string =>
  `${new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, "")}-${getWorld().makeName()}`;

interface Recorded {
  readonly path: string;
  readonly side: EntrySide | null;
}

export const isExecutable = (): boolean => false;
export function isAsRecorded(_root: string, { path, side }: Recorded): boolean {
  const { files, textOf } = bind();
  const text = files.get(path);
  return side?.id === undefined || side.id === null ? text === undefined : text === textOf(side.id);
}

function bind() {
  const { repository } = getWorld();
  return { files: repository.files, textOf: (id: string): string => repository.textOf(id) };
}

interface Moves {
  readonly moves: readonly { readonly path: string; readonly from: EntrySide | null; readonly to: EntrySide | null }[];
}

export const listUnmovable = ({ moves }: Moves): readonly string[] =>
  moves.filter(({ path, from }) => !isAsRecorded("", { path, side: from })).map(({ path }) => path);

export async function writeEntries({ moves }: Moves): Promise<void> {
  const world = getWorld();
  const process = world.held?.process;
  if (process === undefined) throw new Error("files are written without a lock");
  await world.step(process, "files are written");
  const { files, textOf } = bind();
  for (const { path, from, to } of moves) {
    // Saved since all paths were looked at: a moment that nobody watches.
    if (!isAsRecorded("", { path, side: from })) world.watch.change.giveUp(files.get(path));
    if (to?.id === undefined || to.id === null) files.delete(path);
    else files.set(path, textOf(to.id));
  }
  await world.step(process, "written");
}

export const listDirtyPaths = (): Promise<readonly string[]> => {
  const { repository } = getWorld();
  return Promise.resolve(listDifferences(repository.files, repository.committed()));
};
