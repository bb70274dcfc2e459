import { MeasurementError } from "../../contract/values/measurement-error.ts";
import type { Mount } from "../../contract/evidence/manifest.ts";

const LINE = /^\d+ \d+ \d+:\d+ (?<root>[^ ]+) (?<point>[^ ]+) [^ ]+(?: [^ ]+)*? - (?<type>[^ ]+) [^ ]* [^ ]+$/;

/**
 * The mounts of the kernel's own table, given as a byte string. Bytes that would break a line are written in it as octal
 * numbers. A line of another form is a failed measurement.
 */
export function listMountsInTable(table: string): readonly Mount[] {
  return table
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const groups = LINE.exec(line)?.groups;
      if (groups === undefined) throw new MeasurementError("mountinfo", `has a line of another form: ${line}`);
      const kind = `${groups["type"] ?? ""} ${groups["root"] ?? ""}`;
      return { point: plain(groups["point"] ?? ""), kind };
    });
}

function plain(text: string): string {
  return text.replaceAll(/\\(?<octal>[0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
