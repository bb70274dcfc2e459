import type { Keyboard, Session } from "./command.ts";

/** Asks with one key; every other key than `y` means no. */
export function askYes(
  question: string,
  keyboard: Keyboard,
  { out, signal }: Pick<Session, "out" | "signal">,
): Promise<boolean> {
  out(`${question} (y/N) `);
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
