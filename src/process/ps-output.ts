/** The columns that `parsePs` reads, in its order; `lstart` is five words and `command` is the rest of the line. */
export const PS_COLUMNS = "pid=,ppid=,pgid=,stat=,lstart=,command=";

/** Any characters may follow: a program may have carriage returns and other line ends in its arguments. */
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d{4})(?:\s(.*))?$/s;

/** Parses the output of `ps -o` with `PS_COLUMNS`. Further lines of a command have no pid and are skipped. */
export function parsePs(output: string) {
  return output.split("\n").flatMap((line) => {
    const [, pid, parent, group, state, start, text] = LINE.exec(line) ?? [];
    if (state === undefined || start === undefined) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      start: start.replaceAll(/\s+/g, " "),
      ended: state.startsWith("Z"),
      // The command line and, where `ps` was asked for it and may tell, the environment.
      text: (text ?? "").trim(),
    };
  });
}
