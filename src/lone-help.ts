/** `relais --help` alone: a page of text, for which neither signals nor streams are set up. */
import { fstatSync, writeSync } from "node:fs";
import { countColumns } from "./terminal/global-options.ts";
import { writeOverview } from "./terminal/help-text.ts";
import { plainStyle } from "./base/style.ts";

/** False where it could not be written, as to a reader that is slow or gone. */
export function isHelpWritten(): boolean {
  try {
    // What is no device is no terminal, and has no width to ask for.
    const columns = fstatSync(1).isCharacterDevice() ? process.stdout.columns : undefined;
    const text = writeOverview({ style: plainStyle, columns: countColumns({ env: process.env, columns }) });
    return writeSync(1, text) === Buffer.byteLength(text);
  } catch {
    return false;
  }
}
