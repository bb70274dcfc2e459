import { relative, dirname, join } from "node:path";
import type { GenericSchema } from "valibot";
import { parseWith } from "../base/schema-error.ts";
import { describeError } from "../base/errors.ts";
import { openPublishedFolder, type PublishedFolder } from "../journal/published-folder.ts";
import { Blocked } from "../records/blocked.ts";
import type { Config } from "../config/config.ts";
import type { HistoryFile } from "../records/event.ts";
import { Meta } from "../records/meta.ts";
import { Report } from "../records/report.ts";
import { WorkspaceState } from "../records/state.ts";
import { Task } from "../records/task.ts";
import { type MetaExtras, type ReportableRecord, makeTickMeta } from "../journal/pure/tick-meta.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { isHalfWritten } from "../system/atomic-file.ts";
import { toBytePath } from "../system/byte-path.ts";
import { hashFile } from "../system/hash-file.ts";
import { openRedoLog } from "../system/redo-log.ts";
import { isLentFolder } from "../system/private-folder.ts";
import type { Journal } from "../journal/journal.ts";
import { TICK_LINES } from "../journal/run-directory.ts";
import { walk } from "../system/walk.ts";
import { TRIAL_NOTE } from "../journal/trial-note.ts";
import { HELD_OUT_LOG } from "./held-out-lines.ts";
import type { LockedWorkspace } from "./workspace.ts";
import { hashDocument } from "./runner-documents.ts";

/**
 * Writes into one folder of the workspace, and collects problems instead of throwing.
 *
 * No document is written that its own schema would refuse, because the next tick would be blocked by it.
 */

export interface Publication {
  /** Each file that could not be written, with the reason. */
  readonly problems: readonly string[];
  /** Null removes the file. */
  readonly text: (name: string, text: string | null) => Promise<void>;
  /** Writes a document as JSON and answers with its text; null where nothing was written. */
  readonly document: (name: string, schema: GenericSchema, value: unknown) => Promise<string | null>;
  readonly copy: (name: string, source: string) => Promise<void>;
  /** Copies the journal: only its new lines where the copy has the others. */
  readonly copyJournal: (name: string, source: string) => Promise<void>;
}

/** If the folder is refused, every file in it is a problem. */
export async function openPublication(root: string, directory: string): Promise<Publication> {
  const folder = relative(root, directory);
  const opened = await openPublishedFolder(root, folder);
  const problems: string[] = [];
  const attempt = async (name: string, act: (folder: PublishedFolder) => Promise<void>): Promise<boolean> => {
    try {
      if (opened.kind === "refused") throw new Error(`${opened.path}: ${opened.reason}`);
      await act(opened.folder);
      return true;
    } catch (error) {
      problems.push(`${folder}/${name}: ${describeError(error)}`);
      return false;
    }
  };
  const text: Publication["text"] = async (name, content) => {
    await attempt(name, ({ write, remove }) => (content === null ? remove(name) : write(name, content)));
  };
  return {
    problems,
    text,
    document: async (name, schema, value) => {
      if (value === null) {
        await text(name, null);
        return null;
      }
      const content = `${JSON.stringify(value, null, 2)}\n`;
      const written = await attempt(name, async ({ write }) => {
        assertValid(schema, value);
        await write(name, content);
      });
      return written ? content : null;
    },
    copy: async (name, source) => {
      await attempt(name, ({ copy }) => copy(name, source));
    },
    copyJournal: async (name, source) => {
      await attempt(name, ({ copyJournal }) => copyJournal(name, source));
    },
  };
}

function assertValid(schema: GenericSchema, value: unknown): void {
  const parsed = parseWith(schema, value);
  if (parsed.kind === "invalid")
    throw new Error(`it would not be valid: ${parsed.problems[0]?.message ?? "for an unknown reason"}`);
}

/**
 * Writes the projections of the journal into the workspace, for people and other programs.
 *
 * By then the tick is settled: a report that cannot be written changes nothing. So a file that cannot be
 * written becomes a problem in a list and the others are still tried; everything can be published again
 * from the journal and the tick's folder at any time.
 */

export interface PublishedJournal {
  readonly root: string;
  readonly workspace: string;
  /** The ledger is a copy of its file, byte for byte. */
  readonly journal: Pick<Journal, "path" | "fold">;
  readonly limits: Config["budgets"];
}

export interface Projections extends PublishedJournal {
  readonly report: Report;
  /** Null where the configuration wants none. */
  readonly reportMarkdown: string | null;
  readonly task: Task | null;
  readonly blocked: Blocked | null;
}

export interface Published {
  readonly problems: readonly string[];
  /** The hash of REPORT.json; null where it could not be written. */
  readonly reportSha256: string | null;
}

/** A document that this tick does not have is removed. */
export async function publishProjections(projections: Projections): Promise<Published> {
  const { report, reportMarkdown, task, blocked } = projections;
  const publication = await openPublication(projections.root, projections.workspace);
  const reportText = await publication.document("REPORT.json", Report, report);
  await publication.text("REPORT.md", reportMarkdown);
  await publication.document("TASK.json", Task, task);
  await publication.document("BLOCKED.json", Blocked, blocked);
  await writeState(publication, projections);
  return {
    problems: publication.problems,
    reportSha256: reportText === null ? null : hashDocument(reportText),
  };
}

/** Updates STATE.json and the ledger; answers with what could not be written. */
export async function publishLines({
  repository,
  config,
  journal,
}: Pick<LockedWorkspace, "repository" | "config" | "journal">): Promise<readonly string[]> {
  return publishState({
    root: repository.root,
    workspace: join(repository.root, config.workspace_dir),
    journal,
    limits: config.budgets,
  });
}

export async function publishState(journal: PublishedJournal): Promise<readonly string[]> {
  const publication = await openPublication(journal.root, journal.workspace);
  await writeState(publication, journal);
  return publication.problems;
}

async function writeState(publication: Publication, { journal, limits }: PublishedJournal): Promise<void> {
  await publication.document("STATE.json", WorkspaceState, journal.fold(WorkspaceFold).state(limits));
  await publication.copyJournal("ledger.jsonl", journal.path);
}

export interface HistoryPublication {
  readonly root: string;
  /** Everything in it is published, except for what the settings leave out. */
  readonly runDirectory: string;
  readonly settings: Config["history"];
  readonly record: ReportableRecord;
  readonly extras: Omit<MetaExtras, "endedAt">;
  readonly report: Report;
  readonly reportMarkdown: string | null;
}

export interface PublishedHistory {
  readonly problems: readonly string[];
  /** All files of the folder, whether or not they could be written. */
  readonly files: readonly HistoryFile[];
}

/** Copies a tick into the history, if it is enabled. May be repeated. */
export async function publishHistory(history: HistoryPublication): Promise<PublishedHistory> {
  const { root, settings, record, extras, report, reportMarkdown } = history;
  if (!settings.enabled) return { problems: [], files: [] };
  const directory = join(root, settings.dir, record.runId);
  const files: HistoryFile[] = [];
  const problems = await copyRun(history, directory, files).catch((error: unknown) => [
    `${join(settings.dir, record.runId)}: ${describeError(error)}`,
  ]);
  const publication = await openPublication(root, directory);
  const reportText = await publication.document("report.json", Report, report);
  await publication.text("report.md", reportMarkdown);
  // The last file, so that a folder which has it is complete.
  const meta = makeTickMeta(record, { ...extras, endedAt: report.ended_at });
  const metaText = await publication.document("meta.json", Meta, meta);
  const texts = { "report.json": reportText, "report.md": reportMarkdown, "meta.json": metaText };
  const redo = openRedoLog(dirname(dirname(history.runDirectory)));
  for (const [name, text] of Object.entries(texts)) {
    if (text === null) continue;
    files.push({ name, sha256: hashDocument(text) });
    redo.write(join(history.runDirectory, name), text);
  }
  return { problems: [...problems, ...publication.problems], files };
}

async function copyRun(
  { root, runDirectory, settings }: HistoryPublication,
  directory: string,
  files: HistoryFile[],
): Promise<readonly string[]> {
  const left = listLeftOut(settings);
  const { manifest } = walk({
    folder: toBytePath(runDirectory),
    earlier: null,
    skipTopLevel: (name) => left.has(name) || isHalfWritten(name) || isLentFolder(name),
    force: false,
  });
  const publications = new Map<string, Publication>();
  for (const [path, { type }] of manifest) {
    if (type === "directory") continue;
    const name = Buffer.from(path, "latin1").toString("utf8");
    const folder = dirname(name);
    const publication = publications.get(folder) ?? (await openPublication(root, join(directory, folder)));
    publications.set(folder, publication);
    // Of the private file, which the copy must match.
    const hash = await hashFile(join(runDirectory, name));
    if (hash.kind === "hash") files.push({ name, sha256: hash.sha256 });
    await publication.copy(name.slice(name.lastIndexOf("/") + 1), join(runDirectory, name));
  }
  return [...publications.values()].flatMap(({ problems }) => problems);
}

/** Files that the settings leave out, that are not copied but written, or that the ledger repeats. */
function listLeftOut({ include_diff_patch, include_verify_log }: Config["history"]): ReadonlySet<string> {
  return new Set([
    "meta.json",
    "report.json",
    "report.md",
    TICK_LINES,
    TRIAL_NOTE,
    HELD_OUT_LOG,
    ...(include_diff_patch ? [] : ["diff.patch"]),
    ...(include_verify_log ? [] : ["verify.log"]),
  ]);
}
