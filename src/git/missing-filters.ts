/** Filters that git must run for files of this repository, and whose program this machine lacks. */
import { join } from "node:path";
import { MeasurementError } from "../base/measurement-error.ts";
import { readNow } from "../system/read-now.ts";
import { findProgram } from "../system/find-program.ts";
import type { FilterSettings } from "./filter-settings.ts";
import { accessRepository, runGit } from "./git.ts";
import type { Repository } from "./repository-layout.ts";

interface MissingFilter {
  readonly filter: string;
  readonly program: string;
}

const COMMAND = /^filter\.(?<filter>.+)\.(?:clean|process)$/s;
/** A plain name or path; what else a shell would make of it is not guessed. */
const FIRST_WORD = /^\s*(?<program>[\w.+/-]+)(?:\s|$)/;
const USED = /(?:^|\s)filter=(?<filter>\S+)/gm;
const ATTRIBUTES_BYTES_MAX = 4 * 1024 * 1024;
const LIST_BYTES_MAX = 16 * 1024 * 1024;

interface FilterQuestion {
  readonly repository: Repository;
  readonly settings: FilterSettings;
  readonly signal?: AbortSignal | undefined;
}

/** Only filters that are required and that an attribute of the repository names: git fails without them. */
export async function listMissingFilters(question: FilterQuestion): Promise<readonly MissingFilter[]> {
  const { all } = question.settings;
  const names = listRequired(all);
  if (names.size === 0) return [];
  const used = await listUsed(question);
  const missing: MissingFilter[] = [];
  for (const command of all.flatMap(parseCommand)) {
    if (!names.has(command.filter) || !used.has(command.filter)) continue;
    if (!(await isFound(command.program, question))) missing.push(command);
  }
  return missing;
}

function parseCommand({ key, value }: FilterSettings["all"][number]): MissingFilter[] {
  const filter = COMMAND.exec(key)?.groups?.["filter"];
  const program = FIRST_WORD.exec(value)?.groups?.["program"];
  return filter === undefined || program === undefined ? [] : [{ filter, program }];
}

function listRequired(all: FilterSettings["all"]): ReadonlySet<string> {
  const required = all.filter(({ key, value }) => /^filter\..+\.required$/s.test(key) && value === "true");
  return new Set(required.map(({ key }) => key.slice("filter.".length, -".required".length)));
}

async function listUsed(question: FilterQuestion): Promise<ReadonlySet<string>> {
  const { repository } = question;
  const { stdout } = await ask(question, ["ls-files", "-z", "--", ".gitattributes", "*/.gitattributes"]);
  const listed = stdout.toString("utf8").split("\0").filter(Boolean);
  const files = [
    join(repository.root, ".gitattributes"),
    ...listed.map((path) => join(repository.root, path)),
    join(repository.commonDir, "info/attributes"),
  ];
  const texts = files.map(readText);
  return new Set(texts.flatMap((text) => [...text.matchAll(USED)].map(({ groups }) => groups?.["filter"] ?? "")));
}

/** What is no ordinary file holds no attributes for git either. */
function readText(path: string): string {
  try {
    return readNow(path, { bytesMax: ATTRIBUTES_BYTES_MAX })?.toString("utf8") ?? "";
  } catch (error) {
    if (error instanceof MeasurementError) return "";
    throw error;
  }
}

/** Git also finds programs beside its own. */
async function isFound(program: string, question: FilterQuestion): Promise<boolean> {
  const { environment, root: cwd } = question.repository;
  const path = environment["PATH"];
  if (path === undefined || (await findProgram(program, { path, cwd })) !== null) return true;
  const own = (await ask(question, ["--exec-path"])).stdout.toString("utf8").trim();
  return (await findProgram(program, { path: own, cwd })) !== null;
}

function ask({ repository, signal }: FilterQuestion, args: readonly string[]) {
  return runGit({
    ...accessRepository(repository, signal),
    args,
    env: { GIT_LITERAL_PATHSPECS: undefined },
    outputBytesMax: LIST_BYTES_MAX,
  });
}
