import { askYes } from "../terminal/ask-yes.ts";
import type { Keyboard, Session } from "../terminal/command.ts";

export function askCommit(
  paths: readonly string[],
  keyboard: Keyboard,
  session: Pick<Session, "out" | "signal">,
): Promise<boolean> {
  const [first = "", ...more] = paths;
  return askYes(`Commit ${more.length === 0 ? first : `${first} and ${more.length} more`} now?`, keyboard, session);
}
