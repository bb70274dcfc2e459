/**
 * Finds the checks and source folders of a repository. It only fills in a configuration that a person then reads, so it
 * guesses nothing.
 */
import type { CheckTemplate, Detection } from "../../records/initialised.ts";
import { type CheckSource, type ProjectFacts, checkSources } from "./check-sources.ts";
import { findSetup } from "./find-setup.ts";
import { formatConfig } from "./config-text.ts";
import { listAllowedGlobs } from "./project-scope.ts";

export function detectProject(facts: ProjectFacts): Detection {
  const sources = checkSources(facts);
  const templates = withUniqueIds(sources);
  const setup = findSetup(facts, templates);
  return {
    languages: listLanguages(facts),
    found: sources.map(({ found, checks }) => `${found}: ${checks.map(({ id }) => id).join(", ") || "no check"}`),
    templates,
    ...(setup.length === 0 ? {} : { setup }),
    allowedGlobs: listAllowedGlobs(facts.tracked, facts.texts.get("package.json")),
  };
}

/**
 * The first source with an id keeps it. A later check with the same id is dropped if one of the two wraps the other,
 * and otherwise named after its tool, as in a repository with two languages.
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

/** The agents that relais finds by itself, in the order of choice. */
export const KNOWN_AGENTS = [
  { program: "claude", driver: "claude_code" },
  { program: "codex", driver: "codex" },
] as const;

export type KnownDriver = (typeof KNOWN_AGENTS)[number]["driver"];

interface InitialChoices {
  /** Null where none was found; the defaults count then. */
  readonly agent?: KnownDriver | null;
  /** For editors; relais does not read it. */
  readonly schema?: string | null;
}

/** What was found, one line for each choice. The agent is named, so that a later default does not change it. */
export function makeInitialConfig(
  { templates, setup, allowedGlobs }: Detection,
  { agent = null, schema = null }: InitialChoices = {},
): string {
  return formatConfig({
    ...(schema === null ? {} : { $schema: schema }),
    ...(agent === null ? {} : { builder: { default_mode: agent } }),
    // Without it, Claude Code plans.
    ...(agent === null || agent === "claude_code" ? {} : { roles: { orchestrator: { driver: agent } } }),
    scope: { default_allowed_globs: allowedGlobs },
    verification: setup === undefined ? { templates } : { templates, setup },
  });
}

/** Names at the root that only projects of this language have. */
const SIGNS: readonly (readonly [string, RegExp])[] = [
  ["TypeScript", /^tsconfig(?:\..+)?\.json$|\.tsx?$/],
  ["JavaScript", /^package\.json$|\.[cm]?jsx?$/],
  ["Python", /^(?:pyproject\.toml|setup\.(?:py|cfg)|requirements.*\.txt|Pipfile|tox\.ini)$|\.py$/],
  ["Rust", /^Cargo\.toml$/],
  ["Go", /^go\.mod$|\.go$/],
  ["Ruby", /^Gemfile$|\.gemspec$/],
  ["Java", /^pom\.xml$|^build\.gradle$/],
  ["Kotlin", /^build\.gradle\.kts$/],
  ["PHP", /^composer\.json$/],
  ["C#", /\.(?:csproj|sln)$/],
  ["Swift", /^Package\.swift$/],
  ["Elixir", /^mix\.exs$/],
];

/** TypeScript includes JavaScript. */
function listLanguages({ files, testFiles }: ProjectFacts): readonly string[] {
  const names = [...files, ...testFiles].map((path) => path.slice(path.lastIndexOf("/") + 1));
  const found = SIGNS.filter(([, sign]) => names.some((name) => sign.test(name))).map(([language]) => language);
  return found.includes("TypeScript") ? found.filter((language) => language !== "JavaScript") : found;
}
