/** What the working tree must be once every tick is settled: the files of the beginning and the kept changes, byte by byte. */
import { nameToken } from "./actors.ts";
import type { Disk } from "./disk.ts";
import { look, readBytes } from "./invariants.ts";
import type { Step } from "./plan.ts";
import { REPOSITORY } from "./repository.ts";
import { FIRST_FILES } from "./set-up.ts";
import { Violation } from "./violation.ts";

/** `steps` are those of the kept ticks, in their order. */
export function demandKeptFiles(disk: Disk, steps: readonly Step[]): void {
  for (const [path, text] of foldKept(steps)) {
    const inode = look(disk, `${REPOSITORY}/${path}`);
    const found = inode === null ? null : dropLate(readBytes(inode).toString("utf8"), steps);
    // A process that was left behind makes a removed file again.
    if (found !== text && !(text === null && found === ""))
      throw new Violation(`${path} is not what was kept: ${tell(found)} instead of ${tell(text)}`);
  }
}

/** What a process that a session left behind wrote before the session ended, which belongs to the change. */
function dropLate(text: string, steps: readonly Step[]): string {
  const own = steps.filter(({ forks }) => forks).map((step) => `${nameToken(step)} late `);
  const lines = text.split("\n");
  return lines.filter((line) => !own.some((begin) => line.startsWith(begin))).join("\n");
}

const tell = (text: string | null): string => (text === null ? "nothing" : JSON.stringify(text));

/** Null for a file that a kept change removed. */
function foldKept(steps: readonly Step[]): ReadonlyMap<string, string | null> {
  const files = new Map<string, string | null>(Object.entries(FIRST_FILES));
  for (const step of steps) {
    const token = nameToken(step);
    if (step.deed === "nothing") continue;
    files.set("src/a.txt", `${files.get("src/a.txt") ?? ""}${token} line\n`);
    if (step.deed === "more")
      files.set(`src/new-${step.number}.txt`, `${files.get(`src/new-${step.number}.txt`) ?? ""}${token} new\n`);
    if (step.deed === "delete") files.set("src/b.txt", null);
  }
  return files;
}
