import { readFileSync } from "node:fs";

/** The kernel writes -1 for the session of a process that is just going. */
const WHOLE_NUMBER = /^(?:\d+|-1)$/;

/**
 * The fields after the program's name, which is in parentheses and may itself contain spaces, parentheses and newlines;
 * so they are counted from the last closing parenthesis.
 */
export function splitProcStat(line: string): readonly string[] {
  return line
    .slice(line.lastIndexOf(")") + 1)
    .trim()
    .split(" ");
}

/** Null for anything but a stat line. */
export function parseProcStat(line: string) {
  const fields = splitProcStat(line);
  const [state = "", parent = "", , session = ""] = fields;
  const start = fields[19] ?? "";
  const pid = /^\d+(?= \()/.exec(line)?.[0] ?? "";
  for (const field of [pid, parent, session, start]) if (!WHOLE_NUMBER.test(field)) return null;
  return {
    pid: Number(pid),
    parent: Number(parent),
    session: Number(session),
    // Clock ticks between boot and the start of the process: with the pid, it identifies this process for ever.
    start,
    // A zombie has ended and only waits for its parent to notice.
    ended: state === "Z" || state === "X",
  };
}

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

/** Whether relais runs in the background (`&` or `bg`): it must not draw over the shell. */
export function isInBackground(): boolean {
  const groups = findTerminalGroups();
  return groups !== null && groups.own !== groups.foreground;
}
