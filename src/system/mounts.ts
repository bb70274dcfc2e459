/** Mounts as this process sees them. Linux lists them in a file, elsewhere a program prints them. */
import { existsSync, readFileSync } from "node:fs";
import { MeasurementError } from "../base/errors.ts";
import type { Mount } from "../base/manifest.ts";
import { toBytePath } from "./byte-path.ts";
import { findSystemTool } from "./system-tool.ts";

const TABLE = "/proc/self/mountinfo";
const PROGRAM = process.platform === "darwin" ? "/sbin/mount" : "/bin/mount";

/** Every mount, also one that is hidden by a later one at the same path. */
export async function listMounts(): Promise<readonly Mount[]> {
  if (existsSync(TABLE)) return listMountsInTable(readFileSync(TABLE, "latin1"));
  const printed = await findSystemTool(PROGRAM, []);
  if (printed === null) throw new MeasurementError(PROGRAM, "does not say what is mounted");
  return [...printed.matchAll(/^.* on (?<point>\/.*) \((?<type>[^\s,)]+).*\)$/gm)].map(({ groups }) => ({
    point: toBytePath(groups?.["point"] ?? ""),
    kind: groups?.["type"] ?? "",
  }));
}

const LINE = /^\d+ \d+ \d+:\d+ (?<root>[^ ]+) (?<point>[^ ]+) [^ ]+(?: [^ ]+)*? - (?<type>[^ ]+) [^ ]* [^ ]+$/;

/**
 * The mounts of the kernel's own table, given as a byte string, with some bytes as octal numbers. A line of another
 * form is a failed measurement.
 */
export function listMountsInTable(table: string): readonly Mount[] {
  return table
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const groups = LINE.exec(line)?.groups;
      if (groups === undefined) throw new MeasurementError("mountinfo", `has a line of another form: ${line}`);
      const kind = `${groups["type"] ?? ""} ${groups["root"] ?? ""}`;
      return { point: decodeOctal(groups["point"] ?? ""), kind };
    });
}

function decodeOctal(text: string): string {
  return text.replaceAll(/\\(?<octal>[0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
