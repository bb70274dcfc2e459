import { chmodSync, constants, copyFileSync } from "node:fs";
import { dirname } from "node:path";
import { joinBytes, toBytePath } from "../files/byte-path.ts";
import { makeFolders } from "../files/make-folders.ts";

export interface RescuedFile {
  /** Below the folder, as a byte string. */
  readonly path: string;
  readonly size: number;
}

export interface FileRescue {
  /** Where the files are. */
  readonly folder: string;
  /** Where the copies go, under the same names; readable by their owner alone. */
  readonly target: string;
  readonly files: readonly RescuedFile[];
}

const MIB = 1024 * 1024;
const LIMITS = { files: 20_000, fileBytes: 16 * MIB, totalBytes: 64 * MIB };

/** Copies files that are about to be put back to what they were; answers with those that were copied. */
export function rescueFiles({ folder, target, files }: FileRescue): readonly RescuedFile[] {
  const rescued: RescuedFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (file.size > LIMITS.fileBytes || bytes + file.size > LIMITS.totalBytes) continue;
    if (rescued.length >= LIMITS.files) break;
    const copy = joinBytes(toBytePath(target), file.path);
    makeFolders(Buffer.from(dirname(copy.toString("latin1")), "latin1"), 0o700);
    copyFileSync(joinBytes(toBytePath(folder), file.path), copy, constants.COPYFILE_FICLONE);
    chmodSync(copy, 0o600);
    rescued.push(file);
    bytes += file.size;
  }
  return rescued;
}
