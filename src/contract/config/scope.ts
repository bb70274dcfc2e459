/**
 * What may be changed where nobody says otherwise.
 *
 * The forbidden globs hold secrets, git's and relais' own files, and the files through which a repository steers
 * agents, editors and CI: a builder that may write those decides what runs later, outside of any judgement.
 */
import * as v from "valibot";
import { Positive } from "../quantity.ts";
import { Glob } from "../repository-path.ts";
import { DEFAULT_WORKSPACE } from "./workspace-path.ts";

const FORBIDDEN = [
  ".git/**",
  `${DEFAULT_WORKSPACE}/**`,
  "**/.env*",
  "**/*secret*",
  "**/*token*",
  "**/node_modules/**",
  "**/.claude/**",
  "**/CLAUDE.md",
  "**/AGENTS.md",
  "**/.mcp.json",
  "**/.cursorrules",
  "**/.github/workflows/**",
  "**/.husky/**",
  "**/.vscode/tasks.json",
  "**/.envrc",
];

const LOCKFILES = [
  "pnpm-lock.yaml",
  "package-lock.json",
  "yarn.lock",
  "bun.lockb",
  "bun.lock",
  "npm-shrinkwrap.json",
  "Cargo.lock",
  "go.sum",
  "poetry.lock",
  "uv.lock",
  "Gemfile.lock",
  "composer.lock",
];

/** A lockfile is known by its name alone, wherever it lies. */
const FileName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(255),
  v.regex(/^[^/\\\0]+$/, "a lockfile is given by its name alone and is found in every folder"),
);

export const Scope = v.strictObject({
  default_allowed_globs: v.exactOptional(v.array(Glob), [
    "src/**",
    "app/**",
    "packages/**",
    "tests/**",
    "README.md",
  ]),
  default_forbidden_globs: v.exactOptional(v.array(Glob), FORBIDDEN),
  default_allow_new_files: v.exactOptional(v.boolean(), false),
  default_allow_lockfile_changes: v.exactOptional(v.boolean(), false),
  lockfiles: v.exactOptional(v.array(FileName), LOCKFILES),
});

export const DiffLimits = v.strictObject({
  default_max_files_touched: v.exactOptional(Positive, 12),
  default_max_lines_changed: v.exactOptional(Positive, 400),
});

/** What ordinary builds, tests and package managers write into ignored folders. */
export const IgnoredWritableGlobs = v.exactOptional(v.array(Glob), [
  "**/node_modules/.cache/**",
  "**/node_modules/.vite/**",
  "**/node_modules/.vitest/**",
  "**/dist/**",
  "**/build/**",
  "**/out/**",
  "**/coverage/**",
  "**/.nyc_output/**",
  "**/.cache/**",
  "**/.parcel-cache/**",
  "**/.turbo/**",
  "**/.next/**",
  "**/.nuxt/**",
  "**/.svelte-kit/**",
  "**/.eslintcache",
  "**/*.tsbuildinfo",
  "**/target/**",
  "**/bin/**",
  "**/obj/**",
  "**/__pycache__/**",
  "**/*.pyc",
  "**/.pytest_cache/**",
  "**/.mypy_cache/**",
  "**/.ruff_cache/**",
  "**/.tox/**",
  "**/.coverage",
  "**/htmlcov/**",
  "**/.gradle/**",
  "**/.DS_Store",
]);
