/**
 * Finds the checks and source folders of a repository. It only fills in a configuration that a person then reads, so it
 * guesses nothing.
 */
import type { CheckTemplate, Detection } from "../../contract/answers/initialised.ts";
import { type CheckSource, type ProjectFacts, checkSources } from "../checks/check-sources.ts";
import { DEFAULT_WORKSPACE } from "../../contract/config/workspace-path.ts";
import { makeDefaultConfig } from "../../contract/config/config.ts";
import { listAllowedGlobs } from "./project-scope.ts";

export function detectProject(facts: ProjectFacts): Detection {
  const sources = checkSources(facts);
  return {
    languages: listLanguages(facts),
    found: sources.map(({ found, checks }) => `${found}: ${checks.map(({ id }) => id).join(", ") || "no check"}`),
    templates: withUniqueIds(sources),
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

/** Without keys that only repeat a default. */
export function makeInitialConfig({ templates, allowedGlobs }: Detection): string {
  const { scope, verification } = makeDefaultConfig();
  const document = {
    $schema: `./${DEFAULT_WORKSPACE}/schemas/config.schema.json`,
    ...(isSame(allowedGlobs, scope.default_allowed_globs) ? {} : { scope: { default_allowed_globs: allowedGlobs } }),
    ...(isSame(templates, verification.templates) ? {} : { verification: { templates } }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
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
