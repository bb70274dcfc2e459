/** Reads what a job is to do, and the files that its command names: nobody reads the person's tree later. */
import { isAbsolute, resolve } from "node:path";
import { CampaignContract, CampaignSlug } from "../records/campaign.ts";
import { parseWith } from "../base/schema-error.ts";
import type { JobCommand } from "../queue/pure/job.ts";
import { unreachable } from "../base/errors.ts";
import { parseDocument } from "../base/strict-json.ts";
import { CONTRACT_FILE, isFileOption } from "../queue/pure/job-arguments.ts";
import { readBounded } from "../system/bounded-file.ts";
import { readStandardInput } from "../system/standard-input.ts";
import { readSentence } from "../tick/read-sentence.ts";
import { readTaskFile } from "../tick/read-task.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";

export interface GivenWork {
  readonly command: JobCommand;
  readonly words: readonly string[];
  /** The options of the command in the order in which they were given; a flag has an empty value. */
  readonly options: readonly { readonly name: string; readonly isFlag: boolean; readonly value: string }[];
  readonly cwd: string;
}

export interface JobWork {
  readonly kind: "work";
  readonly arguments: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly title: string;
  readonly needsAgent: boolean;
}

const FILE_BYTES_MAX = 1024 * 1024;
const SENTENCE_FILE = "sentence.txt";
const TASK_FILE = "task.json";

export async function readJobWork(given: GivenWork): Promise<JobWork | Misuse> {
  const { options, cwd } = given;
  const files: Record<string, string> = {};
  const words: string[] = [];
  for (const { name, isFlag, value } of options) {
    if (!isFileOption(name)) {
      words.push(isFlag ? `--${name}` : `--${name}=${value}`);
      continue;
    }
    const read = await readText(value, cwd);
    if (typeof read !== "string") return reportMisuse(`--${name}: ${read.message}`);
    files[name] = read;
    words.push(`--${name}=${name}`);
  }
  const subject = await readSubject(given);
  if (subject.kind === "misused") return subject;
  return {
    kind: "work",
    arguments: [...words, ...subject.arguments],
    files: { ...files, ...subject.files },
    title: subject.title,
    needsAgent: given.command !== "task" && !("patch" in files),
  };
}

type Subject = ({ readonly kind: "subject" } & Pick<JobWork, "arguments" | "files" | "title">) | Misuse;

function readSubject(given: GivenWork): Promise<Subject> | Subject {
  const { command, words, cwd, options } = given;
  const [first = "", more] = words;
  if (more !== undefined) return reportMisuse(`the text of \`${command}\` is one argument: put it in quotes`);
  switch (command) {
    case "run":
      return first === "" ? nameSource(options) : readGivenSentence(first, cwd);
    case "task":
      return first === "" ? reportMisuse("`relais submit task` needs a file") : readTask(first, cwd);
    case "goal":
      return first.trim() === ""
        ? reportMisuse("a goal needs an objective, in quotes")
        : makeSubject(first, ["--", first]);
    case "campaign":
      return first === "" ? reportMisuse("a campaign needs its contract or its name") : readContract(first, cwd);
    case "tree":
      return makeSubject("the tree of the repository", []);
    case "loop":
      return makeSubject("a loop of planned ticks", []);
    default:
      return unreachable(command);
  }
}

function makeSubject(title: string, words: readonly string[], files: JobWork["files"] = {}): Subject {
  return { kind: "subject", title, arguments: words, files };
}

function nameSource(options: GivenWork["options"]): Subject {
  const file = options.find(({ name }) => name === "file" || name === "patch");
  return makeSubject(file === undefined ? "a tick that the orchestrator plans" : `${file.name} ${file.value}`, []);
}

async function readGivenSentence(sentence: string, cwd: string): Promise<Subject> {
  const read = await readSentence(
    sentence === "-" ? { isStandardInput: true } : { text: sentence, isTyped: false },
    cwd,
  );
  if (read.kind === "misused") return read;
  return makeSubject(read.text, [`--file=${SENTENCE_FILE}`], { [SENTENCE_FILE]: read.text });
}

async function readTask(file: string, cwd: string): Promise<Subject> {
  const task = await readTaskFile(file, cwd);
  if (task.kind === "misused") return task;
  const text = await readText(file, cwd);
  if (typeof text !== "string") return reportMisuse(`${file}: ${text.message}`);
  const { task_id: id, intent = id } = task.task;
  return makeSubject(intent, ["--", TASK_FILE], { [TASK_FILE]: text });
}

/** A file is a contract, as `relais campaign brainstorm --from` takes it; any other word names a campaign. */
async function readContract(name: string, cwd: string): Promise<Subject> {
  const text = await readText(name, cwd);
  if (typeof text !== "string") {
    if (parseWith(CampaignSlug, name).kind === "valid") return makeSubject(`campaign ${name}`, ["--", name]);
    return reportMisuse(`"${name}" is neither a contract nor the name of a campaign: ${text.message}`);
  }
  const document = parseDocument(Buffer.from(text));
  if (document.kind === "broken") return reportMisuse(`${name} ${document.problem}`);
  const parsed = parseWith(CampaignContract, document.value);
  if (parsed.kind === "invalid")
    return reportMisuse(
      `${name} is not a contract`,
      parsed.problems.map(({ message }) => message),
    );
  const { slug } = parsed.value;
  return makeSubject(`campaign ${slug}`, ["--", slug], { [CONTRACT_FILE]: text });
}

async function readText(file: string, cwd: string): Promise<string | { readonly message: string }> {
  const read =
    file === "-"
      ? await readStandardInput(FILE_BYTES_MAX)
      : await readBounded(isAbsolute(file) ? file : resolve(cwd, file), FILE_BYTES_MAX);
  if (read.kind === "read") return read.data.toString("utf8");
  return { message: read.kind === "missing" ? `the file ${file} does not exist` : `${file}: ${read.reason}` };
}
