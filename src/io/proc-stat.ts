/** What one line of `/proc/<pid>/stat` says about a process. */
interface ProcStat {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** Clock ticks between boot and the start of the process: with the pid, the name of this very process. */
  readonly start: string;
  /** A zombie has ended and only waits for its parent to notice. */
  readonly ended: boolean;
}

/**
 * Reads a stat line; null for anything else. The program's name stands in parentheses and may itself contain spaces,
 * parentheses and newlines, so the fields are counted from the last closing parenthesis.
 */
export function parseProcStat(line: string): ProcStat | null {
  const nameEnd = line.lastIndexOf(")");
  if (nameEnd < 0) return null;
  const fields = line
    .slice(nameEnd + 1)
    .trim()
    .split(/\s+/);
  const [state, parent, , session] = fields;
  const start = fields[19];
  if (state === undefined || parent === undefined || session === undefined || start === undefined)
    return null;
  return {
    pid: Number.parseInt(line, 10),
    parent: Number(parent),
    session: Number(session),
    start,
    ended: state === "Z" || state === "X",
  };
}
