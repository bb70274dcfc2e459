import { join } from "node:path";
import { type Journal, openJournal } from "../../io/journal/journal.ts";
import { mendJournal, setJournalAside } from "../../io/journal/mend-journal.ts";
import { surveyJournal } from "../../io/journal/survey-journal.ts";
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
  if (survey.kind === "newer") return journalUnusable(survey);
  const mendedLines = survey.kind === "short" ? survey.missing.length : 0;
  if (survey.kind === "short") await mendJournal(path, survey);
  const isDamaged = survey.kind === "corrupt";
  if (isDamaged && !abandon) return journalUnusable(survey);
  if (isDamaged && survey.path === path) await setJournalAside(path);
  const opened = await openJournal({ path, ledger: isDamaged && survey.path === ledger ? null : ledger });
  if (opened.kind !== "open") return journalUnusable(opened);
  return { kind: "opened", journal: opened.journal, mendedLines };
}
