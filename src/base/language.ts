/** The family of languages that a file belongs to, by its name or its first line. Documents and unknown files have none. */

export type Language = "js" | "ts" | "python" | "go" | "rust" | "c" | "ruby" | "shell" | "settings";

const EXTENSIONS: readonly (readonly [Language, string])[] = [
  ["js", "js cjs mjs jsx vue svelte"],
  ["ts", "ts cts mts tsx"],
  ["python", "py pyi pyw"],
  ["go", "go"],
  ["rust", "rs"],
  ["c", "java kt kts scala groovy cs swift c h cc cpp cxx hpp m mm dart php"],
  ["ruby", "rb rake"],
  ["shell", "sh bash zsh ksh bats mk mak just"],
  ["settings", "json jsonc json5 toml yaml yml ini cfg conf properties neon xml csproj fsproj vbproj props targets"],
];

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  EXTENSIONS.flatMap(([language, names]) => names.split(" ").map((name) => [name, language] as const)),
);

/** Files that are known by their whole name. */
const SHELL_NAMES = /^(?:makefile|gnumakefile|justfile|\.justfile|dockerfile|\.envrc)$/iu;
const SETTINGS_NAMES =
  /^(?:\.(?:eslintrc|prettierrc|stylelintrc|babelrc|swcrc|mocharc|nycrc|c8rc|taprc|flake8|shellcheckrc|coveragerc|pylintrc|oxlintrc|bazelrc|editorconfig|globalconfig|clang-tidy|rspec)|pylintrc|pipfile)$/iu;
/** By the program of the first line. */
const PROGRAMS: readonly (readonly [RegExp, Language])[] = [
  [/\b(?:ba|z|k|da)?sh\b|\bbats\b/u, "shell"],
  [/\bpython[\d.]*\b/u, "python"],
  [/\b(?:node|deno|bun)\b/u, "js"],
  [/\bruby\b/u, "ruby"],
];

/** Written by tools, or copied from elsewhere: nobody weakens a check there. */
const GENERATED =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third_party|site-packages|\.?venv|\.yarn|dist|out|__pycache__)\/|\.min\.[cm]?js$|\.(?:pb|generated|gen)\.\w+$|_pb2?\.py$|\.snap$|\.map$/u;
const LOCKFILES =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|poetry\.lock|uv\.lock|Pipfile\.lock|Cargo\.lock|go\.sum|composer\.lock|Gemfile\.lock|deno\.lock)$/u;

/** No person writes such lines. */
const LINE_CHARS_MAX = 5000;

export function isCopied(path: string): boolean {
  return GENERATED.test(path) || LOCKFILES.test(path);
}

export function isGenerated(path: string, text: string): boolean {
  return isCopied(path) || text.split("\n").some((line) => line.length > LINE_CHARS_MAX);
}

/** Lists of version control, packages and editors leave nothing out of a check. */
const OF_OTHERS =
  /^\.(?:git|docker|npm|vscode|hg|git-blame-|gcloud|helm|cf|ebs?|vercel|now|slug|cursor|claude|codeium|rg|fd)ignore$|^\.(?:ignore|mailmap|git-blame-ignore-revs)$/iu;
const LIST_NAMES =
  /ignore|allow-?_?list|white-?_?list|baseline|known[-_]?(?:failures?|issues?|bugs?|problems?)|quarantine|skip[-_]?(?:list|tests?)|exclu(?:de|sion)s?\b|suppress|waiver|exceptions?\.(?:txt|json|ya?ml|toml|lst|list|csv)$|flaky|xfail|(?:lint|check|test|type)s?[-_.](?:allow|skip|ok)|^(?:allow|skip)(?:ed|s)?\.|todo\.(?:ya?ml|txt)$/iu;
const DATA =
  /(?:^|\/)[^/.]*$|(?:^|\/)\.[^/.]+$|\.(?:txt|json|jsonc|ya?ml|toml|lst|list|csv|cfg|ini|neon|xml|conf)$|ignore$/iu;

export function isExceptionList(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return LIST_NAMES.test(name) && DATA.test(path) && !OF_OTHERS.test(name);
}

export function findLanguage(path: string, text: string): Language | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (SHELL_NAMES.test(name)) return "shell";
  if (SETTINGS_NAMES.test(name) || isExceptionList(path)) return "settings";
  const extension = /\.(?<extension>[A-Za-z0-9]+)$/u.exec(name)?.groups?.["extension"];
  return extension === undefined ? findByProgram(text) : (BY_EXTENSION.get(extension.toLowerCase()) ?? null);
}

function findByProgram(text: string): Language | null {
  const program = /^#!(?<program>[^\n]{1,200})/u.exec(text)?.groups?.["program"];
  if (program === undefined) return null;
  return PROGRAMS.find(([pattern]) => pattern.test(program))?.[1] ?? null;
}
