import { findTerminalGroups } from "./proc-stat.ts";

/** Whether relais runs in the background (`&` or `bg`): it must not draw over the shell. */
export function isInBackground(): boolean {
  const groups = findTerminalGroups();
  return groups !== null && groups.own !== groups.foreground;
}
