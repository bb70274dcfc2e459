import { readdirSync } from "node:fs";
import { describeError, MeasurementError } from "../base/errors.ts";
import { readErrorCode } from "./read-files.ts";

/** The names in a folder, as byte strings; null where there is no such folder. */
export function readNames(folder: Buffer): ReadonlySet<string> | null {
  const names = readNamesInOrder(folder);
  return names === null ? null : new Set(names);
}

/** The same in the order of the folder. */
export function readNamesInOrder(folder: Buffer): readonly string[] | null {
  try {
    return readdirSync(folder, { encoding: "latin1" });
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(readErrorCode(error) ?? "")) return null;
    throw new MeasurementError(folder.toString("utf8"), describeError(error));
  }
}
