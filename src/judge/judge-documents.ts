import { isAbsolute, resolve } from "node:path";
import { unreachable } from "../base/invariant.ts";
import { type Config, CONFIG_NAME } from "../config/config.ts";
import { parseWith } from "../base/schema-error.ts";
import { Task } from "../records/task.ts";
import { findGlobProblems } from "../checks/pure/config-problems.ts";
import { parseDocument } from "../base/parse-document.ts";
import { readBounded } from "../system/bounded-file.ts";
import type { Repository } from "../git/repository-layout.ts";
import { type ConfigText, parseConfigText, readConfigFile } from "../workspace/config-file.ts";
import type { CommittedFile } from "./judge-content.ts";
import type { JudgedSubject, RulesOrigin } from "./judge-request.ts";
import type { ScopedTask } from "./judge-rules.ts";

interface UnusableDocument {
  readonly kind: "unusable";
  readonly message: string;
  readonly problems: readonly string[];
}

type ConfigRead =
  { readonly kind: "config"; readonly config: Config | null; readonly origin: RulesOrigin } | UnusableDocument;
type TaskRead = { readonly kind: "task"; readonly task: ScopedTask } | UnusableDocument;

const DOCUMENT_BYTES_MAX = 1024 * 1024;

interface ConfigPlaces {
  readonly repository: Repository;
  readonly rules: JudgedSubject["rules"];
  readonly committed: CommittedFile;
}

/** A missing configuration is no mistake. */
export async function readConfig({ repository, rules, committed }: ConfigPlaces): Promise<ConfigRead> {
  const name = `${CONFIG_NAME} of commit ${rules.commit.slice(0, 12)}`;
  switch (committed.kind) {
    case "file":
      return addOrigin(parseConfigText(committed.content, name), { kind: "base", commit: rules.commit });
    case "unusable":
      return refuseDocument(`${name} cannot be used: ${committed.reason}.`);
    case "absent":
      return rules.mayBeOnDisk ? readConfigOnDisk(repository) : useBuiltIn(rules.commit);
    default:
      return unreachable(committed);
  }
}

async function readConfigOnDisk(repository: Repository): Promise<ConfigRead> {
  const file = await readConfigFile(repository.root);
  return file.kind === "missing" ? useBuiltIn(null) : addOrigin(file, { kind: "worktree" });
}

function useBuiltIn(commit: string | null): ConfigRead {
  return { kind: "config", config: null, origin: { kind: "built-in", commit } };
}

function addOrigin(file: ConfigText, origin: RulesOrigin): ConfigRead {
  return file.kind === "config"
    ? { kind: "config", config: file.config, origin }
    : refuseDocument(file.message, file.problems);
}

/** Reads the task that narrows the rules; the path is relative to `cwd`. */
export async function readTask(file: string, cwd: string): Promise<TaskRead> {
  const path = isAbsolute(file) ? file : resolve(cwd, file);
  const read = await readBounded(path, DOCUMENT_BYTES_MAX);
  if (read.kind === "missing") return refuseDocument(`The task file ${file} does not exist.`);
  if (read.kind === "refused") return refuseDocument(`The task file ${file} cannot be used: ${read.reason}.`);
  const document = parseDocument(read.data);
  if (document.kind === "broken") return refuseDocument(`The task file ${file} ${document.problem}.`);
  const parsed = parseWith(Task, document.value);
  if (parsed.kind === "invalid") {
    return refuseDocument(
      `The task file ${file} is not a valid task.`,
      parsed.problems.map(({ message }) => message),
    );
  }
  if ("control" in parsed.value && parsed.value.control !== undefined) {
    return refuseDocument(`The task file ${file} only controls a series; it has no rules for a change.`);
  }
  const globs = listTaskGlobProblems(parsed.value);
  if (globs.length > 0) return refuseDocument(`The task file ${file} is not a valid task.`, globs);
  return { kind: "task", task: parsed.value };
}

function listTaskGlobProblems({ scope }: ScopedTask): readonly string[] {
  return [
    ...findGlobProblems("scope.allowed_globs", scope?.allowed_globs ?? []),
    ...findGlobProblems("scope.forbidden_globs", scope?.forbidden_globs ?? []),
  ];
}

function refuseDocument(message: string, problems: readonly string[] = []): UnusableDocument {
  return { kind: "unusable", message, problems };
}
