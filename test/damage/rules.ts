import type { Rules } from "../../src/contract/evidence/evidence.ts";
import type { Program } from "./program.ts";

/** The rules that a program is judged by: an ordinary task, but for what the program's own comment says. */
export function rulesFor(program: Program): Rules {
  return {
    task_kind: "execute",
    allowed_globs: [...program.allowed],
    forbidden_globs: [".git/**", "relais/**", "**/.env*", "**/*secret*", "**/*token*", "**/node_modules/**"],
    runner_owned_globs: ["relais/**", "relais.config.json"],
    allow_new_files: program.allowNewFiles,
    allow_lockfile_changes: false,
    lockfiles: ["pnpm-lock.yaml", "package-lock.json", "yarn.lock", "Cargo.lock"],
    max_files_touched: 50,
    max_lines_changed: 2000,
    ignored: program.ignored,
    ignored_writable_globs: ["**/dist/**"],
  };
}
