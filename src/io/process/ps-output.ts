/** One line of the process list of `ps`. */
interface PsLine {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly start: string;
  readonly ended: boolean;
  /** The command line and, where `ps` was asked for it and may tell, the environment. */
  readonly text: string;
}

/** The columns that `parsePs` reads, in its order; `lstart` is five words and `command` is the rest of the line. */
export const PS_COLUMNS = "pid=,ppid=,pgid=,stat=,lstart=,command=";

/** The rest of the line is whatever it is: a program may have carriage returns and other ends of lines in its arguments. */
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d{4})(?:\s(.*))?$/s;

/** Reads what `ps -o` printed for `PS_COLUMNS`. A line that continues a command with newlines in it has no pid and is passed over. */
export function parsePs(output: string): PsLine[] {
  return output.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, start, text] = LINE.exec(line) ?? [];
    if (state === undefined || start === undefined) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      start: start.replaceAll(/\s+/g, " "),
      ended: state.startsWith("Z"),
      text: (text ?? "").trim(),
    };
  });
}
