/** A person's decision about a held change, by command or by key. */
import type { Choices } from "../config/choices.ts";
import type { AcceptRequest } from "../decide/accept-last.ts";
import { CODES } from "../base/codes.ts";
import { renderTickCard } from "../cards/tick-card.ts";
import { rejectHeld } from "../decide/reject-held.ts";
import { acceptHeld } from "../landing/accept-held.ts";
import type { CommandEnd, Session } from "./command.ts";
import { printAskedDecision } from "./decision-answer.ts";
import { makeProcessSources, openLive } from "./live.ts";
import { printAnswer } from "./print-answer.ts";
import { printFailure, printWarning } from "./refusal-answer.ts";

interface Wish {
  readonly run: string;
  readonly reason: string | null;
}

interface AcceptWish extends Wish, Pick<AcceptRequest, "message"> {
  readonly choices?: Choices;
  readonly updateTests?: readonly string[];
}

/** Null where this is no held change. */
export async function acceptHeldChange(wish: AcceptWish, session: Session): Promise<CommandEnd | null> {
  const sources = { ...makeProcessSources(session), emit: openLive(session, "accept").emit };
  const answer = await acceptHeld(sources, wish);
  session.stage.clear();
  if (answer === null || answer.kind === "misused") return answer;
  if (answer.kind !== "ended") return printFailure(answer, session);
  const { report, problems, held } = answer;
  const extent = session.detail === "all" ? "verbose" : "card";
  const text = (): string => renderTickCard(report, { ...session, extent });
  const status = CODES[report.code].exit;
  const end = printAnswer({ document: { ...report, held }, text, status, problems }, session);
  const warning = await answer.notify();
  if (warning !== null) printWarning(warning, session);
  return end;
}

/** Null where no such change waits. */
export async function rejectHeldChange(wish: Wish, session: Session): Promise<CommandEnd | null> {
  const answer = await rejectHeld(session, wish);
  if (answer === null) return null;
  return answer.kind === "decided" ? printAskedDecision(answer, session) : printFailure(answer, session);
}
