import { join } from "node:path";
import { type Journal, openJournal } from "../../io/journal/journal.ts";
import { mendJournal, setJournalAside } from "../../io/journal/mend-journal.ts";
import { type JournalSurvey, surveyJournal } from "../../io/journal/survey-journal.ts";
import type { Unready } from "../workspace/ground.ts";
import type { RecoveryPlace } from "./recovery-place.ts";
import { journalUnusable } from "../workspace/unusable-journal.ts";

interface OpenedMended {
  readonly kind: "opened";
  readonly journal: Journal;
  readonly mendedLines: number;
}

/** Opens the journal with all lines that are known of it; the caller holds the lock. */
export async function openMended({
  stateDirectory,
  ledger,
  abandon,
}: RecoveryPlace): Promise<OpenedMended | Unready> {
  const path = join(stateDirectory, "journal.jsonl");
  const survey = await surveyJournal({ stateDirectory, ledger, lockPaths: [] });
  const isDamaged = survey.kind === "corrupt";
  if (survey.kind === "newer" || (isDamaged && !abandon)) return journalUnusable(survey);
  const mendedLines = await putInOrder(path, survey);
  const opened = await openJournal({ path, ledger: isDamaged && survey.path === ledger ? null : ledger });
  if (opened.kind !== "open") return journalUnusable(opened);
  return { kind: "opened", journal: opened.journal, mendedLines };
}

/** Puts missing lines back and sets a damaged journal aside; answers with the number of lines that came back. */
async function putInOrder(path: string, survey: JournalSurvey): Promise<number> {
  if (survey.kind === "corrupt" && survey.path === path) await setJournalAside(path);
  if (survey.kind !== "short") return 0;
  await mendJournal(path, survey);
  return survey.missing.length;
}
