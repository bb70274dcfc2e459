import { terminalGroups } from "../../io/process/terminal-groups.ts";

/** Whether somebody else has the terminal, as a shell has that was told `&` or `bg`: what he types is not to be drawn over. */
export function isInBackground(): boolean {
  const groups = terminalGroups();
  return groups !== null && groups.own !== groups.foreground;
}
