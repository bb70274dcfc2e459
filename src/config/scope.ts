/** The default scope. The forbidden globs cover the files of git and relais, dependencies, and what is protected. */
import * as v from "valibot";
import { Positive } from "../base/quantity.ts";
import { Glob } from "../base/repository-path.ts";
import { DEFAULT_WORKSPACE } from "./workspace-path.ts";
import { PROTECTED_GLOBS } from "./protected-paths.ts";
import { key } from "./key.ts";

const FORBIDDEN = [".git/**", `${DEFAULT_WORKSPACE}/**`, ...PROTECTED_GLOBS, "**/node_modules/**"];

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

const FileName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(255),
  v.regex(/^[^/\\\0]+$/, "a lockfile is given by its name alone and is found in every folder"),
);

export const Scope = v.strictObject({
  default_allowed_globs: key(
    v.array(Glob),
    "Paths that may change. A planned task cannot go beyond them; your own task can.",
    ["src/**", "app/**", "packages/**", "tests/**", "README.md"],
  ),
  default_forbidden_globs: key(
    v.array(Glob),
    "Paths that must not change. A task can add to them, never remove one.",
    FORBIDDEN,
  ),
  default_allow_new_files: key(v.boolean(), "Allow new files, unless a task decides.", false),
  default_allow_lockfile_changes: key(v.boolean(), "Allow lockfile changes, unless a task decides.", false),
  lockfiles: key(v.array(FileName), "File names that are lockfiles, in every folder.", LOCKFILES),
});

export const DiffLimits = v.strictObject({
  default_max_files_touched: key(Positive, "Most files in a change; a task may set less.", 12),
  default_max_lines_changed: key(Positive, "Most added and deleted lines; a task may set less.", 400),
});

/**
 * What ordinary builds, tests and package managers write into ignored folders. Programs and byte code that a check would
 * take for the code under test (`bin`, `obj`, `*.pyc`, `.tox`) are not among them; checks do not look into `__pycache__`.
 */
export const IgnoredWritableGlobs = key(
  v.array(Glob),
  "Ignored files that may always change: build output and tool caches. Never files that a check starts or loads.",
  [
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
    "**/__pycache__/**",
    "**/.pytest_cache/**",
    "**/.mypy_cache/**",
    "**/.ruff_cache/**",
    "**/.coverage",
    "**/htmlcov/**",
    "**/.gradle/**",
    "**/.DS_Store",
  ],
);
