import { lstat, mkdtemp, readdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { readErrorCode } from "./read-files.ts";
import { makeFolders } from "./folders.ts";
import { locateTemporaryRoot } from "./temporary-folder.ts";

interface NewFile {
  readonly text: string;
  readonly isProgram?: boolean;
}

export type FreshFolder =
  | {
      readonly kind: "ready";
      readonly path: string;
      /** Creates files below it by their relative paths; an existing one is an error. */
      readonly write: (files: Readonly<Record<string, NewFile>>) => Promise<void>;
    }
  | { readonly kind: "refused"; readonly reason: string };

/** Opens an empty folder that stays: the named one, or a new one among the temporary files. */
export async function openFreshFolder(
  into: string | null,
  prefix: string,
  environment: Environment,
): Promise<FreshFolder> {
  if (into === null) return openFolder(await mkdtemp(join(locateTemporaryRoot(environment), prefix)));
  const reason = await findRefusal(into);
  if (reason !== null) return { kind: "refused", reason };
  try {
    makeFolders(into);
  } catch (error) {
    if (readErrorCode(error) === null) throw error;
    return { kind: "refused", reason: `${into} cannot be made (${readErrorCode(error)})` };
  }
  return openFolder(into);
}

async function findRefusal(path: string): Promise<string | null> {
  try {
    if (!(await lstat(path)).isDirectory()) return `${path} is not a folder`;
    return (await readdir(path)).length === 0 ? null : `${path} is not empty`;
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return null;
    if (readErrorCode(error) === "ENOTDIR") return `a part of ${path} is not a folder`;
    throw error;
  }
}

async function openFolder(folder: string): Promise<FreshFolder> {
  const path = await realpath(folder);
  return {
    kind: "ready",
    path,
    write: async (files) => {
      for (const [name, { text, isProgram = false }] of Object.entries(files)) {
        const target = join(path, name);
        makeFolders(dirname(target));
        await writeFile(target, text, { flag: "wx", mode: isProgram ? 0o755 : 0o644 });
      }
    },
  };
}
