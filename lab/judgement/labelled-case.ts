/** The corpus: a document for each project (`base.json` with its files) and for each labelled change (`case.json`). */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import * as v from "valibot";
import { readSections, type Section } from "../sections.mjs";

export const LANGUAGES = ["javascript", "typescript", "python", "go", "java", "shell"] as const;

const Word = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]*$/));
const Sentence = v.pipe(v.string(), v.minLength(20), v.maxLength(400), v.endsWith("."));
const Path = v.pipe(v.string(), v.regex(/^(?!\/)(?!.*\.\.)[^\\]+$/));
const Argv = v.pipe(v.array(v.string()), v.minLength(1));

/** A visible check, as a template of the configuration has it. */
const Check = v.strictObject({ id: Word, cmd: v.string(), args: v.array(v.string()) });
export type Check = v.InferOutput<typeof Check>;

export const BaseHead = v.strictObject({
  about: Sentence,
  /** Programs without which the base is skipped. */
  needs: v.array(v.picklist(["npm", "python3", "pytest", "go", "java", "sh"])),
  checks: v.pipe(v.array(Check), v.minLength(1)),
  /** What a task may change. */
  allow: v.pipe(v.array(v.string()), v.minLength(1)),
  /** Makes ignored output and dependencies, after the commit. */
  setup: v.exactOptional(v.array(Argv)),
  /** Packages of this repository that the project uses: path in the tree, name of the package. */
  links: v.exactOptional(v.record(Path, v.string())),
});

/** A project; its files are the sections in `tree`. */
export interface Base extends v.InferOutput<typeof BaseHead> {
  readonly sections: readonly Section[];
}

/** What a person asks for; `fields` are further keys of the task. */
const AskedTask = v.strictObject({
  intent: Sentence,
  allow: v.exactOptional(v.array(v.string())),
  new_files: v.exactOptional(v.boolean()),
  lockfile: v.exactOptional(v.boolean()),
  fields: v.exactOptional(v.record(v.string(), v.unknown())),
});

export const CaseHead = v.strictObject({
  label: v.picklist(["good", "bad"]),
  why: Sentence,
  base: Word,
  language: v.picklist(LANGUAGES),
  task: AskedTask,
  /** In place of the checks of the base. */
  checks: v.exactOptional(v.array(Check)),
  /** Laid over the section `verification`. */
  verification: v.exactOptional(v.record(v.string(), v.unknown())),
  deletes: v.exactOptional(v.array(Path)),
  expected: v.strictObject({
    /** How the visible checks end after the change. */
    checks: v.picklist(["green", "red"]),
    /** How the held-out check ends before the change. */
    base: v.picklist(["fails", "passes"]),
  }),
});

/** A case with the name of its class, its document and all sections of that. */
export interface LabelledCase extends v.InferOutput<typeof CaseHead> {
  readonly id: string;
  readonly kind: string;
  readonly file: string;
  readonly sections: readonly Section[];
  /** The text of the check that proves the label. */
  readonly heldOut: string;
}

export interface Corpus {
  readonly bases: ReadonlyMap<string, Base>;
  readonly cases: readonly LabelledCase[];
}

const BASE_FILE = "base.json";
const CASE_FILE = "case.json";
const ENDING = ".txt";
export const TREE = "tree";
export const BEFORE = "before";
export const CHANGE = "change";
/** Files of the change that git ignores in the project. */
export const IGNORED = "ignored";
export const HELD_OUT = "held-out.mjs";
const MAKE = "make.mjs";

/** Reads every document of the corpus, below the root of this repository. */
export function readCorpus(root: string): Corpus {
  const here = resolve(root, "lab/judgement");
  const bases = listDocuments(join(here, "bases")).map((file) => [nameDocument(file), readBase(file)] as const);
  const kinds = readdirSync(join(here, "cases")).toSorted();
  const cases = kinds.flatMap((kind) =>
    listDocuments(join(here, "cases", kind)).map((file) =>
      readCase(file, { kind, id: `${kind}/${nameDocument(file)}` }),
    ),
  );
  return { bases: new Map(bases), cases };
}

function readBase(file: string): Base {
  const sections = readSections(readFileSync(file, "utf8"));
  return { ...readHead(BaseHead, { file, sections, name: BASE_FILE }), sections };
}

function readCase(file: string, names: Pick<LabelledCase, "id" | "kind">): LabelledCase {
  const sections = readSections(readFileSync(file, "utf8"));
  const known = (name: string): boolean =>
    [CASE_FILE, MAKE, HELD_OUT].includes(name) ||
    [BEFORE, CHANGE, IGNORED].some((folder) => name.startsWith(`${folder}/`));
  const unknown = sections.filter(({ name }) => !known(name)).map(({ name }) => name);
  if (unknown.length > 0) throw new Error(`${file}: no section is called ${unknown.join(", ")}`);
  const heldOut = findText(sections, HELD_OUT);
  if (heldOut === undefined) throw new Error(`${file}: there is no ${HELD_OUT}`);
  return { ...readHead(CaseHead, { file, sections, name: CASE_FILE }), ...names, file, sections, heldOut };
}

interface Head {
  readonly file: string;
  readonly sections: readonly Section[];
  readonly name: string;
}

function readHead<T extends v.GenericSchema>(schema: T, { file, sections, name }: Head): v.InferOutput<T> {
  const parsed = v.safeParse(schema, JSON.parse(findText(sections, name) ?? "null"));
  if (parsed.success) return parsed.output;
  const issues = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? "document"}: ${issue.message}`);
  throw new Error(`${file}: ${issues.join("; ")}`);
}

function findText(sections: readonly Section[], wanted: string): string | undefined {
  return sections.find(({ name }) => name === wanted)?.data.toString();
}

/** The files of a folder, by their paths in it. */
export function listFiles(sections: readonly Section[], folder: string): ReadonlyMap<string, Buffer> {
  const inside = sections.filter(({ name }) => name.startsWith(`${folder}/`));
  return new Map(inside.map(({ name, data }) => [name.slice(folder.length + 1), data]));
}

function listDocuments(folder: string): readonly string[] {
  return readdirSync(folder)
    .toSorted()
    .map((name) => join(folder, name));
}

const nameDocument = (file: string): string => basename(file, ENDING);
