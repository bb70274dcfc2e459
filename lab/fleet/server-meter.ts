/** What a server of the queue uses: read from the system, because an old one does not say it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const TICKS_A_SECOND = 100;

export interface ServerMeter {
  readonly cpuMs: () => number;
  readonly memoryMb: () => number;
  /** Of all files, or of those of streams whose names begin so. */
  readonly storeBytes: (prefix?: string) => number;
}

export function openServerMeter(pid: number, folder: string): ServerMeter {
  const read = (file: string): string => readFileSync(`/proc/${pid}/${file}`, "latin1");
  return {
    cpuMs: () => {
      const text = read("stat");
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_A_SECOND;
    },
    memoryMb: () => Number(/VmRSS:\s+(?<kb>\d+)/.exec(read("status"))?.groups?.["kb"] ?? 0) / 1024,
    storeBytes: (prefix = "") => {
      const files = readdirSync(join(folder, "store"), { recursive: true, withFileTypes: true });
      return files
        .filter((file) => file.isFile() && file.parentPath.includes(`/streams/${prefix}`))
        .reduce(
          (sum, file) => sum + (statSync(join(file.parentPath, file.name), { throwIfNoEntry: false })?.size ?? 0),
          0,
        );
    },
  };
}

/** Milliseconds that some work takes. */
export async function timeWork(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
