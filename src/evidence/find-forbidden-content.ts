/**
 * Finds what must not be known where a commit would tell it: keys of known providers, and the content of forbidden files
 * at other paths: a whole copy by its id, and of files that look like secrets also their lines and random values. What
 * is committed at an open path already is no secret.
 */
import type { Change, Rules } from "../records/evidence.ts";
import { SECRET_GLOBS } from "../config/protected-paths.ts";
import { type SearchedFile, type Credentials, findCredentials } from "./find-credentials.ts";
import { findWholeText, makeSecretSearch, type SecretFile } from "./pure/secret-tokens.ts";
import { compileAllowed, compileForbidden, makeLikelyTest } from "../base/globs.ts";

export interface ContentFile {
  /** As text. */
  readonly path: string;
  readonly id: string;
  readonly size: number;
}

export interface ChangedContent {
  readonly path: string;
  readonly before: Pick<ContentFile, "id" | "size"> | null;
  readonly after: Pick<ContentFile, "id" | "size">;
  readonly isIgnored: boolean;
}

export interface ContentQuestion {
  readonly rules: Rules;
  readonly files: FilesBefore;
  readonly changes: readonly ChangedContent[];
  /** Every changed file as it was, also of those that are gone. */
  readonly earlier: readonly ContentFile[];
  readonly isTracked: (path: string) => boolean;
  readonly readContents: (wanted: readonly Pick<ContentFile, "id" | "size">[]) => Promise<ReadonlyMap<string, Buffer>>;
  /** Which of these texts occur in one of these files. */
  readonly listKnownTexts: (texts: readonly string[], files: readonly ContentFile[]) => Promise<ReadonlySet<string>>;
}

/** The files before the change. There may be very many, so they are asked for by what matters. */
export interface FilesBefore {
  readonly listWithIds: (ids: ReadonlySet<string>) => readonly ContentFile[];
  /** Those that may be secrets, and maybe others. Git tracks few secrets, so a tracked file must have the name of one. */
  readonly listLikelySecrets: () => readonly ContentFile[];
  readonly listTracked: () => readonly ContentFile[];
}

/** For files that are all known anyway. */
export function groupFiles(files: readonly ContentFile[], isTracked: (path: string) => boolean): FilesBefore {
  return {
    listWithIds: (ids) => files.filter(({ id }) => ids.has(id)),
    listLikelySecrets: () => files.filter(({ path }) => isNamedAsSecret(path) || !isTracked(path)),
    listTracked: () => files.filter(({ path }) => isTracked(path)),
  };
}

type ForbiddenContent = NonNullable<Change["forbidden_content"]>;
/** What was found in one changed file. */
export type FoundContent = Pick<Change, "forbidden_content" | "credentials">;

/** Less says nothing. */
const COPY_BYTES_MIN = 8;
export const SECRET_BYTES_MAX = 64 * 1024;
/** Larger files are not searched for parts of a secret. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;
/** Installed dependencies: their content is public. */
const DEPENDENCIES = /(?:^|\/)(?:node_modules|bower_components|vendor|site-packages|\.?venv|\.tox|\.eggs)\//u;

export function isAmongDependencies(path: string): boolean {
  return DEPENDENCIES.test(path);
}

/** By path. */
export async function findForbiddenContent(question: ContentQuestion): Promise<ReadonlyMap<string, FoundContent>> {
  const isSealed = makeSealTest(question.rules);
  const changes = question.changes.filter(
    ({ path, before, after }) => after.id !== before?.id && after.size >= COPY_BYTES_MIN && !isSealed(path),
  );
  if (changes.length === 0) return new Map();
  const copies = await findCopies({ ...question, changes }, isSealed);
  const rest = changes.filter(
    ({ path, isIgnored, after }) => !isIgnored && !copies.has(path) && after.size <= TEXT_BYTES_MAX,
  );
  const contents = await question.readContents(rest.flatMap(({ before, after }) => listSides(before, after)));
  const files = rest.flatMap(({ path, before, after }) => {
    const text = contents.get(after.id);
    return text === undefined
      ? []
      : [{ path, before: before === null ? null : (contents.get(before.id) ?? null), after: text }];
  });
  const parts = await findParts({ ...question, changed: files }, isSealed);
  const credentials = await findCredentials(files, question.rules.weakening?.test_globs ?? [], (values) =>
    listEarlierTexts(question, values, isSealed),
  );
  const paths = new Set([...copies.keys(), ...parts.keys(), ...credentials.keys()]);
  return new Map(
    Array.from(paths, (path) => [path, joinFound(copies.get(path) ?? parts.get(path), credentials.get(path))]),
  );
}

function joinFound(content: ForbiddenContent | undefined, credentials: Credentials | undefined): FoundContent {
  return {
    ...(content === undefined ? {} : { forbidden_content: content }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}

async function listEarlierTexts(
  question: ContentQuestion,
  texts: readonly string[],
  isSealed: SealTest,
): Promise<ReadonlySet<string>> {
  const earlier = question.earlier.filter(({ path, size }) => size <= TEXT_BYTES_MAX && !isSealed(path));
  const contents = [...(await question.readContents(earlier)).values()];
  const moved = texts.filter((text) => contents.some((content) => content.includes(text, 0, "latin1")));
  const rest = texts.filter((text) => !moved.includes(text));
  return new Set([...moved, ...(await listOpenTexts(question, rest, isSealed))]);
}

/** Which of these texts an open file has that the change leaves alone. Who reads them leaves out and names large ones. */
async function listOpenTexts(
  { files, listKnownTexts }: Pick<ContentQuestion, "files" | "listKnownTexts">,
  texts: readonly string[],
  isSealed: SealTest,
): Promise<ReadonlySet<string>> {
  if (texts.length === 0) return new Set();
  const open = files.listTracked().filter(({ path }) => !isSealed(path));
  return listKnownTexts(texts, open);
}

type SealTest = (path: string) => boolean;

export function listSealedGlobs({ sealed_globs, forbidden_globs }: Rules): readonly string[] {
  return sealed_globs ?? forbidden_globs;
}

/** The files of relais have contents of the repository by their nature. */
export function makeSealTest(rules: Rules): SealTest {
  const sealed = compileForbidden(listSealedGlobs(rules));
  const open = compileForbidden(rules.runner_owned_globs);
  const output = compileAllowed(rules.ignored_writable_globs);
  // A history has many files of relais, so these are ruled out first.
  return (path) => !isAmongDependencies(path) && open(path) === null && sealed(path) !== null && output(path) === null;
}

async function findCopies({ files, changes, isTracked, readContents }: ContentQuestion, isSealed: SealTest) {
  const ids = new Set(changes.map(({ after }) => after.id));
  const same = files.listWithIds(ids);
  const isPublic = new Set(same.filter(({ path }) => !isSealed(path) && isTracked(path)).map(({ id }) => id));
  const sealed = same.filter(({ id, path }) => !isPublic.has(id) && isSealed(path));
  const contents = await readContents(sealed.filter(({ size }) => size <= SECRET_BYTES_MAX));
  const sources = new Map(sealed.filter(({ id }) => !isBlank(contents.get(id))).map(({ id, path }) => [id, path]));
  return new Map<string, ForbiddenContent>(
    changes.flatMap(({ path, after }) => {
      const of = sources.get(after.id);
      return of === undefined ? [] : [[path, { of, whole: true }] as const];
    }),
  );
}

function isBlank(content: Buffer | undefined): boolean {
  return content !== undefined && content.toString("latin1").trim().length < COPY_BYTES_MIN;
}

interface PartsQuestion extends Omit<ContentQuestion, "changes"> {
  readonly changed: readonly SearchedFile[];
}

async function findParts(question: PartsQuestion, isSealed: SealTest): Promise<ReadonlyMap<string, ForbiddenContent>> {
  const { changed, isTracked, readContents } = question;
  const wanted = changed.length === 0 ? [] : pickSecrets(question, isSealed);
  if (wanted.length === 0) return new Map();
  const secrets = joinContents(wanted, await readContents(wanted), isTracked);
  const search = makeSecretSearch(secrets);
  const suspects = changed.map(({ path, before, after }) => ({
    path,
    whole: findWholeText(secrets, after, before),
    hits: search(after, before),
  }));
  const tokens = [...new Set(suspects.flatMap(({ hits }) => hits.map(({ token }) => token)))];
  const known = await listOpenTexts(question, tokens, isSealed);
  return new Map(
    suspects.flatMap(({ path, whole, hits }) => {
      const of = whole ?? hits.find(({ token }) => !known.has(token))?.path;
      return of === undefined ? [] : [[path, { of, whole: whole !== null }] as const];
    }),
  );
}

type SecretQuestion = Pick<ContentQuestion, "rules" | "files" | "isTracked" | "readContents">;

/** The forbidden files that look like secrets. */
export async function readSecrets(question: SecretQuestion): Promise<readonly SecretFile[]> {
  const wanted = pickSecrets(question, makeSealTest(question.rules));
  return joinContents(wanted, await question.readContents(wanted), question.isTracked);
}

function pickSecrets({ files }: Pick<SecretQuestion, "files">, isSealed: SealTest) {
  return files
    .listLikelySecrets()
    .filter(({ path, size }) => size >= COPY_BYTES_MIN && size <= SECRET_BYTES_MAX && isSealed(path));
}

const isSecretName = compileForbidden(SECRET_GLOBS);

/** The globs name single segments. Most names have nothing of them, which one expression shows. */
export function isNamedAsSecret(path: string): boolean {
  mayBeSecret ??= makeLikelyTest(SECRET_GLOBS);
  return mayBeSecret.test(path) && path.split("/").some((segment) => isSecretName(segment) !== null);
}

/** Made on first use: many commands load this and ask about no name. */
let mayBeSecret: RegExp | null = null;

function joinContents(
  wanted: readonly ContentFile[],
  contents: ReadonlyMap<string, Buffer>,
  isTracked: (path: string) => boolean,
): readonly SecretFile[] {
  return wanted.flatMap(({ path, id }) => {
    const content = contents.get(id);
    return content === undefined ? [] : [{ path, content, isTracked: isTracked(path) }];
  });
}

function listSides(before: ChangedContent["before"], after: ChangedContent["after"]) {
  return before === null || before.size > TEXT_BYTES_MAX ? [after] : [before, after];
}
