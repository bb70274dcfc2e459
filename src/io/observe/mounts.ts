/** What is mounted where, as far as this process sees it. Linux tells it in a file, elsewhere a program prints it. */
import { existsSync, readFileSync } from "node:fs";
import { MeasurementError } from "../../contract/values/measurement-error.ts";
import type { Mount } from "../../contract/evidence/manifest.ts";
import { toBytePath } from "../files/byte-path.ts";
import { listMountsInTable } from "./mount-table.ts";
import { findSystemTool } from "../machine/system-tool.ts";

const TABLE = "/proc/self/mountinfo";
const PROGRAM = process.platform === "darwin" ? "/sbin/mount" : "/bin/mount";

/** Every mount, one that is hidden by a later one at the same place included. */
export async function listMounts(): Promise<readonly Mount[]> {
  if (existsSync(TABLE)) return listMountsInTable(readFileSync(TABLE, "latin1"));
  const printed = await findSystemTool(PROGRAM, []);
  if (printed === null) throw new MeasurementError(PROGRAM, "does not say what is mounted");
  return [...printed.matchAll(/^.* on (?<point>\/.*) \((?<type>[^\s,)]+).*\)$/gm)].map(({ groups }) => ({
    point: toBytePath(groups?.["point"] ?? ""),
    kind: groups?.["type"] ?? "",
  }));
}
