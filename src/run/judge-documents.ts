import { isAbsolute, join, resolve } from "node:path";
import type { Config } from "../contract/config.ts";
import { unreachable } from "../contract/invariant.ts";
import { parseConfig } from "../contract/parse-config.ts";
import { parseWith } from "../contract/schema-error.ts";
import { Task } from "../contract/task.ts";
import { readBounded } from "../io/bounded-file.ts";
import type { Repository } from "../io/repository-layout.ts";
import type { FileAtBase } from "./judge-content.ts";
import type { RulesOrigin } from "./judge-request.ts";
import type { ScopedTask } from "./judge-rules.ts";

/** A document that a person has to mend before anything can be judged by it. */
interface Unusable {
  readonly kind: "unusable";
  readonly message: string;
  readonly problems: readonly string[];
}

type ConfigRead =
  { readonly kind: "config"; readonly config: Config | null; readonly origin: RulesOrigin } | Unusable;
type TaskRead = { readonly kind: "task"; readonly task: ScopedTask } | Unusable;

const CONFIG_NAME = "relais.config.json";
const DOCUMENT_BYTES_MAX = 1024 * 1024;

interface ConfigPlaces {
  readonly repository: Repository;
  readonly base: string;
  readonly atBase: FileAtBase;
}

/** Reads the configuration of the base, else the one on the disk; having none is no fault. */
export async function readConfig({ repository, base, atBase }: ConfigPlaces): Promise<ConfigRead> {
  const name = `${CONFIG_NAME} of commit ${base.slice(0, 12)}`;
  if (atBase.kind === "unusable") return unusable(`${name} cannot be used: ${atBase.reason}.`);
  if (atBase.kind === "file") return configOf(atBase.content, name, { kind: "base", commit: base });
  const onDisk = await readBounded(join(repository.root, CONFIG_NAME), DOCUMENT_BYTES_MAX);
  switch (onDisk.kind) {
    case "missing":
      return { kind: "config", config: null, origin: { kind: "built-in" } };
    case "refused":
      return unusable(`${CONFIG_NAME} cannot be used: ${onDisk.reason}.`);
    case "read":
      return configOf(onDisk.data, CONFIG_NAME, { kind: "worktree" });
    default:
      return unreachable(onDisk);
  }
}

function configOf(bytes: Buffer, name: string, origin: RulesOrigin): ConfigRead {
  const document = parseJson(bytes);
  if (document.kind === "broken") return unusable(`${name} is not JSON: ${document.reason}.`);
  const parsed = parseConfig(document.value);
  return parsed.kind === "valid"
    ? { kind: "config", config: parsed.value, origin }
    : unusable(
        `${name} is not valid.`,
        parsed.problems.map(({ message }) => message),
      );
}

/** Reads the task that a judgement is to be narrowed by; the path is relative to where the person stands. */
export async function readTask(file: string, cwd: string): Promise<TaskRead> {
  const path = isAbsolute(file) ? file : resolve(cwd, file);
  const read = await readBounded(path, DOCUMENT_BYTES_MAX);
  if (read.kind === "missing") return unusable(`The task file ${file} does not exist.`);
  if (read.kind === "refused") return unusable(`The task file ${file} cannot be used: ${read.reason}.`);
  const document = parseJson(read.data);
  if (document.kind === "broken") return unusable(`The task file ${file} is not JSON: ${document.reason}.`);
  const parsed = parseWith(Task, document.value);
  if (parsed.kind === "invalid") {
    return unusable(
      `The task file ${file} is not a valid task.`,
      parsed.problems.map(({ message }) => message),
    );
  }
  if ("control" in parsed.value && parsed.value.control !== undefined) {
    return unusable(`The task file ${file} only controls a series, so it says nothing about a change.`);
  }
  return { kind: "task", task: parsed.value };
}

type Document =
  | { readonly kind: "document"; readonly value: unknown }
  | { readonly kind: "broken"; readonly reason: string };

function parseJson(bytes: Buffer): Document {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return { kind: "document", value };
  } catch (error) {
    return { kind: "broken", reason: error instanceof Error ? error.message : String(error) };
  }
}

function unusable(message: string, problems: readonly string[] = []): Unusable {
  return { kind: "unusable", message, problems };
}
