import { readFileSync } from "node:fs";

const TABLE = "/proc/self/mountinfo";

/** The mount points of this process; of several at one path, the last one counts. */
export function listMountPoints(): readonly string[] {
  const points = readFileSync(TABLE, "utf8")
    .split("\n")
    .flatMap((line) => line.split(" ")[4] ?? []);
  return [...new Set(points.map(decodeOctal))];
}

function decodeOctal(text: string): string {
  return text.replaceAll(/\\(?<octal>[0-7]{3})/gu, (_, octal: string) =>
    String.fromCodePoint(Number.parseInt(octal, 8)),
  );
}
