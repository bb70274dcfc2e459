import { NODE } from "./host.ts";
import type { Machine } from "./machine.ts";
import type { Fault } from "./plan.ts";

interface Disturbed {
  /** How many calls of relais and its git changed something. */
  changes: number;
  /** The first one that the disk refused. */
  refused: string | null;
}

/** Counts what relais and its git change, and lets a bad disk refuse some of it. */
export function disturbDisk(machine: Machine, faults: readonly Fault[]): Disturbed {
  const met: Disturbed = { changes: 0, refused: null };
  machine.refuse = ({ argv: [program = ""] }, { syscall, needsSpace, path }) => {
    if (program !== NODE && program.split("/").at(-1) !== "git") return null;
    met.changes += 1;
    for (const fault of faults) {
      if (fault.kind !== "disk" || fault.at > met.changes) continue;
      if (fault.mode === "once" ? fault.at < met.changes : fault.mode === "full" && !needsSpace) continue;
      met.refused ??= `${syscall} ${path}`;
      machine.tell?.(`${fault.error} for change ${met.changes}, ${syscall} ${path}`);
      return fault.error;
    }
    return null;
  };
  return met;
}
