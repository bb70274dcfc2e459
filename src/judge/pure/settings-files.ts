/** Which files set up the tools of a project, whose they are, and in what language they are written. */
import { isCopied, isExceptionList } from "../../base/language.ts";
import type { FileTests } from "./changed-file.ts";

/** Files with other content, too. */
const MANIFESTS =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|tox\.ini|Cargo\.toml|composer\.json|deno\.jsonc?|pom\.xml|build\.gradle(?:\.kts)?)$/u;
const OTHERS =
  /(?:^|\/)(?:\.?codecov\.ya?ml|sonar-project\.properties|\.shellcheckrc|\.?ruff\.toml|\.editorconfig|\.globalconfig|checkstyle[\w.-]*\.xml|clippy\.toml)$|\.(?:csproj|fsproj|vbproj|props|targets)$/iu;
const USUAL_NAMES = /\.config\.\w+$|(?:^|\/)\.[\w-]+rc(?:\.\w+)?$/u;
/** Settings of a sample are settings of nothing. */
const SAMPLES =
  /(?:^|\/)(?:(?:test-)?fixtures?|__fixtures__|cassettes?|test[-_]?data|snapshots?|__snapshots__|examples?|samples?|templates?|docs?)\//iu;

/** They hold tests as well, and so are read like tests. */
const TESTS_OWN = /(?:^|\/)conftest\.py$|\.(?:git|docker|npm)ignore$/u;

export function isOfManyTools(path: string): boolean {
  return MANIFESTS.test(path);
}

export function isSettingsFile(path: string, { isSettings }: Pick<FileTests, "isSettings">): boolean {
  if (SAMPLES.test(path) || isCopied(path) || TESTS_OWN.test(path)) return false;
  return (
    isSettings(path) || [MANIFESTS, OTHERS, USUAL_NAMES].some((names) => names.test(path)) || isExceptionList(path)
  );
}

/**
 * `code` is a program, of which the literals are read by their keys. `rc` is YAML or JSON, as its text says; `lines` is a
 * list with an entry on each line.
 */
export type SettingsFormat = "json" | "yaml" | "rc" | "toml" | "ini" | "xml" | "code" | "lines";

const FORMATS: readonly (readonly [SettingsFormat, RegExp])[] = [
  ["json", /\.json\w?$/iu],
  ["yaml", /\.(?:ya?ml|neon)(?:\.dist)?$|(?:^|\/)\.(?:clang-tidy|clang-format|yamllint)$/iu],
  ["toml", /\.toml$|(?:^|\/)Pipfile$/u],
  ["xml", /\.(?:xml(?:\.dist)?|csproj|fsproj|vbproj|props|targets|ruleset|runsettings)$/iu],
  [
    "ini",
    /\.(?:ini|cfg|conf|properties)$|(?:^|\/)\.?(?:editorconfig|globalconfig|flake8|coveragerc|pylintrc|shellcheckrc|pep8|bandit)$/iu,
  ],
  ["rc", /(?:^|\/)\.[\w-]+rc$/u],
];

export function findSettingsFormat(path: string): SettingsFormat {
  const format = FORMATS.find(([, names]) => names.test(path))?.[0];
  return format ?? (isExceptionList(path) ? "lines" : "code");
}

const TOOLS =
  /eslint|oxlint|biome|stylelint|tslint|jshint|prettier|oxfmt|markdownlint|commitlint|rubocop|golangci|clippy|rustfmt|detekt|ktlint|checkstyle|spotbugs|pmd|phpstan|psalm|phpunit|php-cs-fixer|phpcs|pyright|mypy|pylint|flake8|ruff|bandit|pytest|tox|nox|coverage|codecov|vitest|jest|mocha|nyc|c8|ava|playwright|cypress|karma|tsconfig|jsconfig|knip|dependency-cruiser|shellcheck|yamllint|sonar|nextest/u;
const DOTNET = /\.(?:csproj|fsproj|vbproj|props|targets|ruleset|globalconfig|editorconfig)$/iu;

/** Whose settings they are: files of the same kind are neighbours. */
export function nameSettingsKind(path: string): string {
  if (DOTNET.test(path)) return "dotnet";
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return TOOLS.exec(name)?.[0] ?? name;
}

const RUNNERS: ReadonlySet<string> = new Set(
  "vitest jest mocha ava pytest tox nox playwright cypress karma phpunit nextest".split(" "),
);

/** A runner finds tests without settings as well, so its first settings can take tests away. */
export function setsUpRunner(path: string): boolean {
  return RUNNERS.has(nameSettingsKind(path));
}
