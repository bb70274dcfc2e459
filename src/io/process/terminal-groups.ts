import { readFileSync } from "node:fs";
import { splitProcStat } from "./proc-stat.ts";

/** The process group of this process, and the one that has its terminal; null where the system does not say. */
export function findTerminalGroups() {
  try {
    const [, , own = "", , , foreground = ""] = splitProcStat(readFileSync("/proc/self/stat", "latin1"));
    // The kernel writes -1 where there is no terminal.
    if (!/^\d+$/.test(own) || !/^\d+$/.test(foreground)) return null;
    return { own: Number(own), foreground: Number(foreground) };
  } catch {
    return null; // Only Linux has the file, and nothing that is shown is worth failing for.
  }
}
