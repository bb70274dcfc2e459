/**
 * Finds keys of known providers in lines that a change adds. A value that stood anywhere before is not new, and one of a
 * test or a fixture is none.
 */
import { TEST_GLOBS } from "../config/verification.ts";
import { compileForbidden } from "../base/globs.ts";
import type { Change } from "../records/evidence.ts";

export type Credentials = NonNullable<Change["credentials"]>;

export interface SearchedFile {
  readonly path: string;
  readonly before: Buffer | null;
  readonly after: Buffer;
}

/** Some rules look far ahead from every place, so text that was made for it takes seconds a megabyte. */
const FILE_BYTES_MAX = 1024 * 1024;
/** Larger changes are searched in their first files. */
const TOTAL_BYTES_MAX = 16 * FILE_BYTES_MAX;
/** More places say nothing new. */
const SHOWN_MAX = 20;

/** By path. */
export async function findCredentials(
  files: readonly SearchedFile[] /** Where tests are by the configuration; absent is nowhere but at the usual names. */,
  testGlobs: readonly string[] /** Which of these texts stood somewhere before the change. */,
  listKnown: (texts: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<ReadonlyMap<string, Credentials>> {
  const isTest = compileForbidden([...TEST_GLOBS, ...testGlobs]);
  let bytes = 0;
  const isSearched = ({ after }: SearchedFile): boolean => (bytes += after.length) <= TOTAL_BYTES_MAX;
  const suspects = files.filter((file) => isTest(file.path) === null && mayAddCredential(file)).filter(isSearched);
  if (suspects.length === 0) return new Map();
  const { listCredentials } = await import("./pure/credential-rules.ts");
  const found = suspects.map(({ path, after }) => {
    const text = after.toString("latin1");
    return { path, text, hits: listCredentials(text) };
  });
  const values = [...new Set(found.flatMap(({ hits }) => hits.map(({ value }) => value)))];
  const known = values.length === 0 ? new Set<string>() : await listKnown(values);
  return new Map(
    found.flatMap(({ path, text, hits }) => {
      const fresh = hits.filter(({ value }) => !known.has(value)).slice(0, SHOWN_MAX);
      const places = fresh.map(({ rule, at }) => ({ rule, line: text.slice(0, at).split("\n").length }));
      return places.length === 0 ? [] : [[path, places] as const];
    }),
  );
}

/** No rule is loaded for a change without a line that may hold a credential. Binary files are not searched. */
function mayAddCredential({ before, after }: SearchedFile): boolean {
  if (after.length > FILE_BYTES_MAX || after.includes(0)) return false;
  const known = new Set(before === null ? [] : listLines(before));
  return listLines(after).some((line) => !known.has(line) && mayHoldCredential(line));
}

const listLines = (content: Buffer): readonly string[] => content.toString("latin1").split("\n");

/** Every credential of the list has so many characters in a row. */
const RUN = /[\w+/=-]{20,}/gu;
/** A shorter name of a program has no digits, and is not all in capitals. */
const LONG = 30;

export function mayHoldCredential(text: string): boolean {
  return [...text.matchAll(RUN)].some(([run]) => run.length >= LONG || /\d/u.test(run) || run === run.toUpperCase());
}

/** Replaces credentials in every text of a document that others read. */
export async function hideCredentials<Words>(words: Words): Promise<Words> {
  const document = JSON.stringify(words);
  if (document === undefined || !mayHoldCredential(document)) return words;
  const { listCredentials } = await import("./pure/credential-rules.ts");
  const mask = (text: string): string =>
    listCredentials(text).reduce((masked, { rule, value }) => masked.replaceAll(value, `[${rule} credential]`), text);
  return JSON.parse(document, (_, value: unknown) => (typeof value === "string" ? mask(value) : value));
}
