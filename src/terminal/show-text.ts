import { pageText } from "../history/through-pager.ts";
import type { Session } from "./command.ts";

/** Shows text that may be longer than the terminal: through the pager where a person reads it, else as it is. */
export async function showText(text: string, session: Session, isPaged = true): Promise<void> {
  const { cwd, environment, signal, screen, isPlain, stage } = session;
  let isShown = false;
  if (isPaged && screen !== null && !isPlain && text !== "")
    await stage.lend(() =>
      screen.lend(async () => {
        isShown = await pageText({ text, cwd, environment, signal });
      }),
    );
  if (!isShown) session.out(text);
}
