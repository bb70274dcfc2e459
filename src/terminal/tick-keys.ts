/** Single keys after a tick: the same functions as the commands, for a person who looks at the card. */
import { isInBackground } from "../process/proc-stat.ts";
import { listTickChoices, type TickChoice } from "../history/tick-choices.ts";
import { type KeyHint, renderKeyLine } from "../base/key-line.ts";
import type { Keyboard, Session } from "./command.ts";
import { acceptChange, undoChange } from "./decision-answer.ts";
import { acceptHeldChange, rejectHeldChange } from "./held-answer.ts";
import { showDiff } from "./diff-answer.ts";
import { showLog } from "./log-answer.ts";

const HINTS: Readonly<Record<TickChoice, KeyHint>> = {
  accept: ["a", "accept"],
  keep: ["a", "accept"],
  reject: ["r", "reject"],
  fix: ["f", "try again"],
  diff: ["d", "diff"],
  undo: ["u", "undo"],
  log: ["l", "log"],
};
const LEAVE: KeyHint = ["enter", "leave"];
const DECISIONS: readonly TickChoice[] = ["accept", "keep", "reject", "undo"];
const ERASE_LINE = "\r\u001B[K";

/** Offers the keys that are possible now, again and again until the person decides or leaves. */
export async function offerTickKeys(runId: string, session: Session): Promise<void> {
  const { keyboard, json, detail, isPlain, stage, signal } = session;
  if (keyboard === null || json || detail === "quiet" || isPlain) return;
  await stage.untilReturned();
  let isOpen = true;
  while (isOpen && !signal.aborted && !isInBackground()) isOpen = await offerOnce(runId, keyboard, session);
}

/** Whether the person may want more. */
async function offerOnce(runId: string, keyboard: Keyboard, session: Session): Promise<boolean> {
  const found = await listTickChoices(session, runId);
  if (found.kind !== "choices" || found.choices.length === 0) return false;
  const choice = await askChoice(found.choices, keyboard, session);
  if (choice === null) return false;
  session.out("\n");
  if (choice === "fix") return fixTick(runId, session);
  await perform(choice, runId, session);
  return !DECISIONS.includes(choice);
}

/** The keys go on with the new tick. */
async function fixTick(asked: string, session: Session): Promise<boolean> {
  const { tryAgain } = await import("./try-again.ts");
  const source = { kind: "repair", asked, words: null } as const;
  const { runId } = await tryAgain({ source, choices: {}, isDryRun: false }, session);
  if (runId !== null) await offerTickKeys(runId, session);
  return false;
}

function askChoice(
  choices: readonly TickChoice[],
  keyboard: Keyboard,
  { stage, style, columns, screen, signal }: Session,
): Promise<TickChoice | null> {
  const line = renderKeyLine([...choices.map((choice) => HINTS[choice]), LEAVE], style, columns - 1);
  const draw = (): void => stage.raw(`${ERASE_LINE}${line}`);
  const erase = (): void => stage.raw(ERASE_LINE);
  return new Promise((resolve) => {
    const leave = (): void => settle(null);
    // Another key may begin the next command, and a letter inside of that must decide nothing.
    const onKey = (key: string): void => settle(choices.find((one) => HINTS[one][0] === key.toLowerCase()) ?? null);
    const ends = [keyboard.listen({ onKey, onLeave: leave }), screen?.onSuspend({ before: erase, after: draw })];
    signal.addEventListener("abort", leave, { once: true });
    draw();
    function settle(choice: TickChoice | null): void {
      for (const end of ends) end?.();
      signal.removeEventListener("abort", leave);
      erase();
      resolve(choice);
    }
  });
}

async function perform(choice: TickChoice, runId: string, session: Session): Promise<void> {
  if (choice === "accept") await acceptChange(session);
  if (choice === "keep") await acceptHeldChange({ run: runId, reason: null }, session);
  if (choice === "reject") await rejectHeldChange({ run: runId, reason: null }, session);
  if (choice === "undo") await undoChange(session);
  if (choice === "diff") await showDiff({ asked: runId }, session);
  if (choice === "log") await showLog({ asked: runId }, session);
}
