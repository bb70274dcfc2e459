import { readFileSync } from "node:fs";

interface TerminalGroups {
  readonly own: number;
  /** The group that the terminal listens to at the moment. */
  readonly foreground: number;
}

/** Which group of processes this one is in, and which one has its terminal; null where nobody says so. */
export function findTerminalGroups(): TerminalGroups | null {
  const line = statLine();
  // The name of the program stands in parentheses and may contain some.
  const fields = line.slice(line.lastIndexOf(")") + 1).trim();
  const [, , own = "", , , foreground = ""] = fields.split(/\s+/);
  // The kernel writes -1 where there is no terminal.
  if (!/^\d+$/.test(own) || !/^\d+$/.test(foreground)) return null;
  return { own: Number(own), foreground: Number(foreground) };
}

/** Only Linux has the file; what is shown is not worth failing for. */
function statLine(): string {
  try {
    return readFileSync("/proc/self/stat", "latin1");
  } catch {
    return "";
  }
}
