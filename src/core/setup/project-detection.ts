/**
 * What a repository tells about itself: its checks, and where its source lies.
 *
 * The answer only fills in a configuration that a person then reads, so it names what is there and guesses nothing.
 */
import { type CheckSource, type CheckTemplate, type ProjectFacts, checkSources } from "../checks/check-sources.ts";
import { listLanguages } from "../checks/languages.ts";

export interface Detection {
  readonly languages: readonly string[];
  /** What was looked into and which checks it has, one line each, for a person. */
  readonly found: readonly string[];
  readonly templates: readonly CheckTemplate[];
  readonly allowedGlobs: readonly string[];
}

/** Folders that by their name hold what a builder is there to change. */
const SOURCE_FOLDERS = [
  "src",
  "lib",
  "app",
  "apps",
  "packages",
  "crates",
  "cmd",
  "internal",
  "pkg",
  "include",
  "components",
  "pages",
  "server",
  "client",
];
const COMPANION_FOLDERS = ["tests", "test", "spec", "__tests__", "e2e", "examples", "docs"];
const READMES = ["README.md", "README.rst", "README"];
/** What tools write or fetch, and what belongs to relais. */
const NOT_SOURCE = new Set(
  "node_modules vendor dist build out target bin obj coverage htmlcov tmp venv env relais".split(" "),
);
/** A name that means itself inside a glob. */
const PLAIN_NAME = /^[A-Za-z0-9][\w-]*$/;

/** Reads the root of a repository for checks and source folders. */
export function detectProject(facts: ProjectFacts): Detection {
  const sources = checkSources(facts);
  return {
    languages: listLanguages(facts),
    found: sources.map(({ found, checks }) => `${found}: ${checks.map(({ id }) => id).join(", ") || "no check"}`),
    templates: withUniqueIds(sources),
    allowedGlobs: allowedGlobs(facts),
  };
}

/**
 * The first source to use a name keeps it. A later check of the same name is left out where one of the two wraps the
 * other, and is named after its tool where a repository simply has two languages.
 */
function withUniqueIds(sources: readonly CheckSource[]): readonly CheckTemplate[] {
  const owners = new Map<string, CheckSource>();
  return sources.flatMap((source) =>
    source.checks.flatMap((check) => {
      const owner = owners.get(check.id);
      if (owner === undefined) {
        owners.set(check.id, source);
        return [check];
      }
      return owner.wraps || source.wraps ? [] : [{ ...check, id: `${source.tool}_${check.id}` }];
    }),
  );
}

function allowedGlobs({ files, folders }: ProjectFacts): readonly string[] {
  const known = SOURCE_FOLDERS.filter((name) => folders.has(name));
  const companions = COMPANION_FOLDERS.filter((name) => folders.has(name));
  const source = known.length > 0 ? known : otherFolders(folders);
  const goFiles = [...files].some((name) => name.endsWith(".go")) ? ["*.go"] : [];
  // A flat project: what is forbidden is still forbidden, and nothing else tells its source apart.
  if (source.length + goFiles.length === 0) return ["**"];
  const readmes = READMES.filter((name) => files.has(name));
  return [...[...source, ...companions].map((name) => `${name}/**`), ...goFiles, ...readmes];
}

/** Folders with names of their own, as Python packages have them. */
function otherFolders(folders: ReadonlySet<string>): readonly string[] {
  const companions = new Set(COMPANION_FOLDERS);
  return [...folders]
    .filter((name) => PLAIN_NAME.test(name) && !NOT_SOURCE.has(name) && !companions.has(name))
    .toSorted();
}
