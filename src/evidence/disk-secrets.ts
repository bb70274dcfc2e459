import type { Rules } from "../records/evidence.ts";
import { makeLikelyTest } from "../base/globs.ts";
import { decodePath } from "../base/path-names.ts";
import { computeBlobId } from "../system/hash-file.ts";
import { joinBytes, toBytePath } from "../system/byte-path.ts";
import { readLeftFile } from "../system/left-file.ts";
import { readNamesInOrder } from "../system/read-names.ts";
import type { TrackedFiles } from "../store/tracked-files.ts";
import {
  type ContentFile,
  isNamedAsSecret,
  listSealedGlobs,
  makeSealTest,
  SECRET_BYTES_MAX,
} from "./find-forbidden-content.ts";

export interface DiskSecret extends ContentFile {
  readonly content: Buffer;
}

export interface DiskQuestion {
  /** A worktree that no builder writes. */
  readonly root: string;
  readonly tracked: Pick<TrackedFiles, "has" | "folders">;
  readonly rules: Rules;
}

/** Forbidden files beside tracked ones, whether git ignores them or not: without a walk through the whole tree. */
export async function readDiskSecrets(question: DiskQuestion): Promise<readonly DiskSecret[]> {
  const { root, tracked, rules } = question;
  const isSealed = makeSealTest(rules);
  const secrets: DiskSecret[] = [];
  for (const bytes of listLikelyPaths(question)) {
    const path = decodePath(bytes).text;
    if ((tracked.has(bytes) && !isNamedAsSecret(path)) || !isSealed(path)) continue;
    const file = await readLeftFile({ root, path }, SECRET_BYTES_MAX);
    if (file.kind !== "read") continue;
    secrets.push({ path, id: computeBlobId(file.data), size: file.data.length, content: file.data });
  }
  return secrets;
}

/** What may be forbidden by its name, as byte strings. In most folders one look at all names together finds nothing. */
function* listLikelyPaths({ root, tracked, rules }: DiskQuestion): Generator<string> {
  const likely = makeLikelyTest(listSealedGlobs(rules));
  const top = toBytePath(root);
  for (const folder of tracked.folders()) {
    const names = readNamesInOrder(joinBytes(top, folder)) ?? [];
    if (likely.test(folder)) for (const name of names) yield `${folder}${name}`;
    else if (likely.test(names.join("/"))) for (const name of names) if (likely.test(name)) yield `${folder}${name}`;
  }
}

export type ReadSecrets = typeof readDiskSecrets;

/** Asks the disk once: for a single tick, in which nothing but a person writes there. */
export function rememberSecrets(): ReadSecrets {
  let known: { readonly about: string; readonly secrets: Promise<readonly DiskSecret[]> } | null = null;
  return (question) => {
    const about = JSON.stringify([question.root, question.rules]);
    if (known?.about !== about) known = { about, secrets: readDiskSecrets(question) };
    return known.secrets;
  };
}
