/** The documents of the corpus: `base.json` of a project, `case.json` of a labelled change. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as v from "valibot";

export const LANGUAGES = ["javascript", "typescript", "python", "go", "shell"] as const;

const Word = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]*$/));
const Sentence = v.pipe(v.string(), v.minLength(20), v.maxLength(400), v.endsWith("."));
const Path = v.pipe(v.string(), v.regex(/^(?!\/)(?!.*\.\.)[^\\]+$/));
const Argv = v.pipe(v.array(v.string()), v.minLength(1));

/** A visible check, as a template of the configuration has it. */
const Check = v.strictObject({ id: Word, cmd: v.string(), args: v.array(v.string()) });
export type Check = v.InferOutput<typeof Check>;

export const Base = v.strictObject({
  about: Sentence,
  /** Programs without which the base is skipped. */
  needs: v.array(v.picklist(["npm", "python3", "pytest", "go", "sh"])),
  checks: v.pipe(v.array(Check), v.minLength(1)),
  /** What a task may change. */
  allow: v.pipe(v.array(v.string()), v.minLength(1)),
  /** Makes ignored output and dependencies, after the commit. */
  setup: v.exactOptional(v.array(Argv)),
  /** Packages of this repository that the project uses: path in the tree, name of the package. */
  links: v.exactOptional(v.record(Path, v.string())),
});
export type Base = v.InferOutput<typeof Base>;

/** What a person asks for; `fields` are further keys of the task. */
const AskedTask = v.strictObject({
  intent: Sentence,
  allow: v.exactOptional(v.array(v.string())),
  new_files: v.exactOptional(v.boolean()),
  lockfile: v.exactOptional(v.boolean()),
  fields: v.exactOptional(v.record(v.string(), v.unknown())),
});

export const Case = v.strictObject({
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
  /** Ignored files, which git would not keep under `change`. */
  writes: v.exactOptional(v.record(Path, v.string())),
  expected: v.strictObject({
    /** How the visible checks end after the change. */
    checks: v.picklist(["green", "red"]),
    /** How the held-out check ends before the change. */
    base: v.picklist(["fails", "passes"]),
  }),
});
export type Case = v.InferOutput<typeof Case>;

/** A case with the name of its class, its own name and its folder. */
export interface LabelledCase extends Case {
  readonly id: string;
  readonly kind: string;
  readonly folder: string;
}

export interface Corpus {
  readonly bases: ReadonlyMap<string, Base>;
  readonly cases: readonly LabelledCase[];
}

export const BASE_FILE = "base.json";
export const TREE = "tree";
export const BEFORE = "before";
export const HELD_OUT = "held-out.mjs";

/** Reads every document of the corpus, below the root of this repository. */
export function readCorpus(root: string): Corpus {
  const here = resolve(root, "lab/judgement");
  const bases = listFolders(join(here, "bases")).map(
    (name) => [name, readDocument(Base, join(here, "bases", name, BASE_FILE))] as const,
  );
  const cases = listFolders(join(here, "cases")).flatMap((kind) =>
    listFolders(join(here, "cases", kind)).map((name) => readCase(join(here, "cases", kind, name), [kind, name])),
  );
  return { bases: new Map(bases), cases };
}

function readCase(folder: string, [kind, name]: readonly [string, string]): LabelledCase {
  return { ...readDocument(Case, join(folder, "case.json")), id: `${kind}/${name}`, kind, folder };
}

function readDocument<T extends v.GenericSchema>(schema: T, path: string): v.InferOutput<T> {
  if (!existsSync(path)) throw new Error(`${path} is missing`);
  const parsed = v.safeParse(schema, JSON.parse(readFileSync(path, "utf8")));
  if (parsed.success) return parsed.output;
  const issues = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? "document"}: ${issue.message}`);
  throw new Error(`${path}: ${issues.join("; ")}`);
}

function listFolders(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}
