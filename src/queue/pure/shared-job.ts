/**
 * Whether a worker may run a job of a queue that others write to.
 *
 * A job is data: what it names is compared with what the worker's owner allowed. Checks, commands and scope come from the
 * configuration at the base commit, so an option that could change them is no data.
 */
import type { JobSpec } from "./job.ts";
import { nameAddress, type WorkerTrust } from "./user-settings.ts";
import { CampaignSlug } from "../../records/campaign.ts";
import { parseWith } from "../../base/schema-error.ts";
import { shorten } from "../../base/words.ts";
import { CONTRACT_FILE, isFileOption, splitArguments } from "./job-arguments.ts";
import { writeLine } from "./job-result.ts";

const MODEL = /^[A-Za-z0-9][\w.:/@[\]-]{0,119}$/;
const NUMBER = /^[1-9]\d{0,4}$/;

/** The options that are data, by the form of their value; files are named by their place in the job. */
const DATA_OPTIONS: Readonly<Record<string, RegExp>> = {
  file: /^./,
  patch: /^./,
  criteria: /^./,
  intent: /^[^\p{Cc}]{1,1200}$/u,
  agent: /^(?:claude|codex|command)$/,
  model: MODEL,
  "worker-model": MODEL,
  "verifier-model": MODEL,
  "max-turns": NUMBER,
  "max-ticks": NUMBER,
  "max-iterations": NUMBER,
  "max-iter": NUMBER,
};

const BRANCH = /^(?![-+./])(?!.*(?:\.\.|\/\/|@\{|\.lock$|[/.]$))[^\p{Cc}\p{Cf}\s~^:?*[\\]{1,250}$/u;
const OPTION_CHARS = 60;
/** All texts of a job together. */
const CHARS_MAX = 4 * 1024 * 1024;

/** The reason as a sentence; null where the job is allowed. */
export function refuseSharedJob(spec: JobSpec, trust: WorkerTrust): string | null {
  const { repository, command } = spec;
  if (repository.kind !== "url") return "It names a folder of another machine instead of a URL.";
  if (findOwnAddress(repository.url, trust) === null)
    return `This worker's owner does not allow ${writeLine(repository.url)} (worker.repositories).`;
  if (!trust.commands.includes(command)) return `This worker's owner does not allow \`${command}\` (worker.commands).`;
  return refuseSharedSpec(spec);
}

/** What every worker refuses, whatever its owner allows. */
export function refuseSharedSpec(spec: JobSpec): string | null {
  const { base, config } = spec;
  if (config !== null) return "It carries a configuration; only that of the base commit counts.";
  if (base.branch !== null && !BRANCH.test(base.branch)) return "The name of its branch cannot be used.";
  if (spec.title !== writeLine(spec.title)) return "Its title has control characters.";
  return refuseFiles(spec) ?? refuseArguments(spec);
}

/** The owner's own address of the repository: that is where the worker clones from and pushes to. */
export function findOwnAddress(url: string, { repositories }: Pick<WorkerTrust, "repositories">): string | null {
  const name = nameAddress(url);
  return name === null ? null : (repositories.find((own) => nameAddress(own) === name) ?? null);
}

function refuseFiles({ files }: JobSpec): string | null {
  if (CONTRACT_FILE in files) return "It carries a campaign with commands of its own; commit the campaign first.";
  const chars = Object.values(files).reduce((sum, text) => sum + text.length, 0);
  return chars > CHARS_MAX ? `Its texts are longer than ${CHARS_MAX} characters.` : null;
}

function refuseArguments(spec: JobSpec): string | null {
  const { options, words } = splitArguments(spec.arguments);
  const refusals = options.map((option) => refuseOption(option, spec));
  return refusals.find((refusal) => refusal !== null) ?? refuseWords(spec, words);
}

function refuseOption(option: string, { files }: JobSpec): string | null {
  const { name = "", value = "" } = /^--(?<name>[a-z-]+)=(?<value>.*)$/s.exec(option)?.groups ?? {};
  const form = Object.hasOwn(DATA_OPTIONS, name) ? DATA_OPTIONS[name] : undefined;
  if (form === undefined)
    return `The option ${shorten(writeLine(option), OPTION_CHARS)} is not allowed in a shared queue.`;
  if (!form.test(value)) return `The value of --${name} cannot be used.`;
  return isFileOption(name) && !Object.hasOwn(files, value) ? `--${name} names no file of the job.` : null;
}

function refuseWords({ command, files }: JobSpec, words: readonly string[]): string | null {
  const [first, second] = words;
  if (second !== undefined) return "It has more than one text.";
  if (command === "task")
    return first !== undefined && Object.hasOwn(files, first) ? null : "It names no task among its files.";
  if (command === "campaign")
    return parseWith(CampaignSlug, first).kind === "valid" ? null : "It names no campaign of the repository.";
  return first === "-" ? "Its text would be read from standard input." : null;
}
