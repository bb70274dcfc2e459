import type { Keyboard, Session } from "../../framework/command.ts";

/** Asks with one key whether to commit; every other key than `y` means no. */
export function askCommit(
  paths: readonly string[],
  keyboard: Keyboard,
  { out, signal }: Pick<Session, "out" | "signal">,
): Promise<boolean> {
  const [first = "", ...more] = paths;
  out(`Commit ${more.length === 0 ? first : `${first} and ${more.length} more`} now? (y/N) `);
  return new Promise((resolve) => {
    const answer = (isWanted: boolean): void => {
      close();
      out(`${isWanted ? "yes" : "no"}\n`);
      resolve(isWanted);
    };
    const close = keyboard.listen({
      onKey: (key) => answer(key.toLowerCase() === "y"),
      onLeave: () => answer(false),
    });
    signal.addEventListener("abort", () => answer(false), { once: true });
  });
}
