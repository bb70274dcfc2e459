/**
 * What a builder can do that has killed relais and read its source: it forges the observation from before the build,
 * plants the content, and writes journal, copies and locks anew so that every hash fits.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry, Manifest, Observation } from "../../src/base/manifest.ts";
import type { JournalLine } from "../../src/records/event.ts";
import { type ContentStore, openContentStore, storeBlobs } from "../../src/store/content-store.ts";
import { computeBlobId } from "../../src/system/hash-file.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { renderJournalText } from "../../src/journal/journal-text.ts";
import { readJournal } from "../../src/journal/read-journal.ts";
import { loadObservation, saveObservation } from "../../src/store/observation-file.ts";
import { locateRunDirectory, locateTickLines } from "../../src/journal/run-directory.ts";
import { observe } from "../../src/evidence/observe.ts";

export interface Forgery {
  /** The repository is to have been as it is now, but for the rest of the forgery. */
  readonly asNow?: boolean;
  /** The content that a file is to have had before the build; null where it is not to have been there. */
  readonly files?: Readonly<Record<string, string | null>>;
  /** The same for git's own data. */
  readonly git?: Readonly<Record<string, string | Buffer | null>>;
  /** Laid over the entries of the files. */
  readonly entries?: Readonly<Record<string, Partial<Entry>>>;
  /** The configuration of the tick. */
  readonly config?: object;
}

interface Place {
  readonly root: string;
  readonly state: string;
}

/** Answers with what makes everything honest again. */
export async function forge({ root, state }: Place, forgery: Forgery): Promise<() => void> {
  const journal = join(state, "journal.jsonl");
  const read = await readJournal(journal);
  const saved = loadObservation(join(state, "observation"));
  if (read.kind !== "read" || saved === null) throw new Error("there is nothing to forge");
  const runId = read.lines.at(-1)?.run_id ?? "";
  const config = join(locateRunDirectory(state, runId), "config.json");
  const paths = [
    journal,
    join(state, "observation"),
    locateTickLines(state, runId),
    config,
    ...listLocks({ root, state }),
  ];
  const honest = paths.map((path) => [path, readFileSync(path)] as const);

  const planted: Buffer[] = [];
  const lay = (manifest: Manifest, files: Forgery["git"] = {}): Manifest => lied(manifest, files, planted);
  const store = await openContentStore(state, process.env);
  const base = forgery.asNow === true ? await observeNow(root, store) : saved.observation;
  const { worktree, git } = base;
  const observation = {
    ...base,
    worktree: withEntries(lay(worktree, forgery.files), forgery.entries ?? {}),
    git: lay(git, forgery.git),
  };
  storeBlobs(store, planted);
  const sha256 = await saveObservation(join(state, "observation"), { ...saved, observation });
  if (forgery.config !== undefined) writeFileSync(config, JSON.stringify(forgery.config));
  const hash = createHash("sha256").update(readFileSync(config)).digest("hex");
  rewriteJournal({ root, state }, read.lines, { observation_sha256: sha256, config_sha256: hash });
  return () => {
    for (const [path, content] of honest) writeFileSync(path, content);
  };
}

/** Forges the evidence of the judged change: these files of the worktree are to have been new in it. */
export async function forgeEvidence({ root, state }: Place, newPaths: readonly string[]): Promise<void> {
  const read = await readJournal(join(state, "journal.jsonl"));
  if (read.kind !== "read") throw new Error("there is nothing to forge");
  const file = join(locateRunDirectory(state, read.lines.at(-1)?.run_id ?? ""), "evidence.json");
  const evidence = JSON.parse(readFileSync(file, "utf8"));
  const [sample] = evidence.changes;
  const planted = newPaths.map((path) => {
    const content = readFileSync(join(root, path));
    const side = { ...sample.after, mode: "0644", size: content.length, id: computeBlobId(content) };
    return { ...sample, path, before: null, after: side, standing: "ignored" };
  });
  const text = JSON.stringify({ ...evidence, changes: [...evidence.changes, ...planted] });
  writeFileSync(file, text);
  const hash = createHash("sha256").update(text).digest("hex");
  rewriteJournal({ root, state }, read.lines, { evidence_sha256: hash });
}

/** With other hashes in it, and a chain, copies and locks that fit. */
function rewriteJournal(
  { root, state }: Place,
  lines: readonly JournalLine[],
  hashes: Readonly<Record<string, string>>,
): void {
  const runId = lines.at(-1)?.run_id ?? "";
  const texts = rechain(lines, (line) =>
    JSON.parse(
      Object.entries(hashes).reduce(
        (text, [key, hash]) => text.replace(new RegExp(`"${key}":"[0-9a-f]+"`), `"${key}":"${hash}"`),
        JSON.stringify(line),
      ),
    ),
  );
  writeFileSync(join(state, "journal.jsonl"), texts.map(({ text }) => `${text}\n`).join(""));
  const own = texts.filter(({ text }) => text.includes(`"run_id":"${runId}"`));
  writeFileSync(locateTickLines(state, runId), own.map(({ text }) => `${text}\n`).join(""));
  for (const path of listLocks({ root, state })) forgeLock(path, texts);
}

function listLocks({ root, state }: Place): readonly string[] {
  return [join(state, "lock.json"), join(root, "relais/lock.json")].filter((path) => existsSync(path));
}

async function observeNow(root: string, store: ContentStore): Promise<Observation> {
  const repository = await findRepository(root, process.env);
  if (repository.kind !== "repository") throw new Error("there is no repository to forge");
  return observe({ repository, store, earlier: null, afterBuild: false });
}

function lied(manifest: Manifest, files: NonNullable<Forgery["git"]>, planted: Buffer[]): Manifest {
  const forged = new Map(manifest);
  for (const [path, text] of Object.entries(files)) {
    forged.delete(path);
    if (text === null) continue;
    const content = Buffer.from(text);
    planted.push(content);
    const sample = manifest.get(path) ?? [...manifest.values()].find(({ type }) => type === "file");
    if (sample === undefined) throw new Error("no file to lie about");
    forged.set(path, { ...sample, size: content.length, id: computeBlobId(content) });
  }
  return forged;
}

function withEntries(manifest: Manifest, entries: NonNullable<Forgery["entries"]>): Manifest {
  const forged = new Map(manifest);
  for (const [path, over] of Object.entries(entries)) {
    const entry = forged.get(path);
    if (entry !== undefined) forged.set(path, { ...entry, ...over });
  }
  return forged;
}

function rechain(lines: readonly JournalLine[], edit: (line: JournalLine) => JournalLine) {
  let prev: string | null = null;
  return lines.map((line) => {
    const rendered = renderJournalText({ ...edit(line), prev });
    prev = rendered.sha256;
    return rendered;
  });
}

function forgeLock(path: string, texts: readonly { readonly sha256: string }[]): void {
  const lock = JSON.parse(readFileSync(path, "utf8"));
  if (lock.journal === undefined) return;
  lock.journal.sha256 = texts[lock.journal.seq - 1]?.sha256;
  writeFileSync(path, JSON.stringify(lock));
}
