import { COMMANDS } from "../../src/command-list.ts";
import { findCommandPosition } from "../../src/terminal/arguments.ts";
import { type FoundCommand, parseCommand, refuseUnknownCommand } from "../../src/terminal/find-command.ts";
import { GLOBAL_OPTIONS } from "../../src/terminal/global-options.ts";

/** What relais makes of these arguments; null where they name no command. */
export function parseTyped(args: readonly string[]): FoundCommand | null {
  const at = findCommandPosition(args, GLOBAL_OPTIONS);
  if (at === null) return null;
  const command = COMMANDS.find(({ name }) => name === args[at]);
  return command === undefined
    ? refuseUnknownCommand(args[at] ?? "", [])
    : parseCommand(command, { args, globals: GLOBAL_OPTIONS, at });
}
