/** Reads `tree.json` of a workspace. */
import { join } from "node:path";
import { MeasurementError } from "../base/errors.ts";
import { type ReadTree, readTree, TREE_BYTES_MAX } from "../workflows/pure/read-tree.ts";
import { readNow } from "../system/read-files.ts";

export function readTreeFile({ folder }: { readonly folder: string }): ReadTree {
  try {
    const data = readNow(join(folder, "tree.json"), { bytesMax: TREE_BYTES_MAX });
    if (data !== null) return readTree(data);
    return { kind: "invalid", problems: [{ path: "", message: "it does not exist" }] };
  } catch (error) {
    if (!(error instanceof MeasurementError)) throw error;
    return { kind: "invalid", problems: [{ path: "", message: error.message }] };
  }
}
