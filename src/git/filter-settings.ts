/**
 * The few of the user's git settings that decide what a commit would hold.
 *
 * A working tree is measured as git would store it: through clean filters, line-ending conversion and ignore files.
 * Those settings are taken over by name and all others ignored. Settings about the file system are among these: told to
 * ignore modes, links or the case of names, git hides changes.
 */
import { join } from "node:path";
import type { Environment } from "../base/environment.ts";
import { pickVariables } from "../system/child-environment.ts";
import type { Repository } from "./repository-layout.ts";
import { accessRepository, runGit } from "./git.ts";

/** The variables that tell git where the user's own configuration is; a filter may need the same places. */
export const USER_CONFIG_VARIABLES = [
  "HOME",
  "XDG_CONFIG_HOME",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
];

export interface FilterSettings {
  /** Variables for a git process that is to store content as the user's own git would. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isSparse: boolean;
  readonly excludesFile: string | null;
  /** Everything that is set, in the order in which later ones win. Nothing of it is obeyed. */
  readonly all: readonly OriginalSetting[];
}

const TAKEN_OVER =
  /^(?:filter\..+\.(?:clean|smudge|process|required)|lfs\..+|core\.(?:autocrlf|eol|checkroundtripencoding|excludesfile|attributesfile))$/s;
/** Only macOS hands back names in another form than they were given. */
const NAME_FORM = process.platform === "darwin" ? "core.precomposeunicode" : null;

const CONFIG_BYTES_MAX = 16 * 1024 * 1024;

interface Setting {
  readonly key: string;
  readonly value: string;
}

interface OriginalSetting extends Setting {
  /** `file:` and a path, or git's word for another source. */
  readonly origin: string;
}

/** Asks git once for its whole configuration and keeps the settings that decide how content is stored. */
export async function readFilterSettings(repository: Repository, signal?: AbortSignal): Promise<FilterSettings> {
  const { stdout } = await runGit({
    ...accessRepository(repository, signal),
    args: ["config", "--list", "--show-origin", "-z"],
    env: pickVariables(repository.environment, USER_CONFIG_VARIABLES),
    outputBytesMax: CONFIG_BYTES_MAX,
  });
  return parseFilterSettings(stdout.toString("utf8"), repository.environment);
}

export function parseFilterSettings(list: string, environment: Environment): FilterSettings {
  const all = splitSettings(list);
  const kept = [...listDefaultFiles(environment), ...all.filter(isTakenOver).map(expandHome(environment["HOME"]))];
  return {
    env: {
      ...toVariables([...kept, { key: "core.safecrlf", value: "false" }]),
      ...pickVariables(environment, ["HOME", "XDG_CONFIG_HOME"]),
      GIT_ATTR_NOSYSTEM: undefined,
      GIT_LITERAL_PATHSPECS: undefined,
    },
    isSparse: all.findLast(({ key }) => key === "core.sparsecheckout")?.value.toLowerCase() === "true",
    excludesFile: kept.findLast(({ key }) => key === "core.excludesfile")?.value ?? null,
    all,
  };
}

function isTakenOver({ key }: Setting): boolean {
  return TAKEN_OVER.test(key) || key === NAME_FORM;
}

/** By turns an origin and a record, which is a key, a line feed and a value; a key alone means true. */
function splitSettings(list: string): readonly OriginalSetting[] {
  const fields = list.split("\0");
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, place) => {
    const origin = fields[2 * place] ?? "";
    const record = fields[2 * place + 1] ?? "";
    const at = record.indexOf("\n");
    return at === -1
      ? { origin, key: record, value: "true" }
      : { origin, key: record.slice(0, at), value: record.slice(at + 1) };
  });
}

/** Git expands `~` with the home of its own process, which a filter need not share. */
function expandHome(home: string | undefined): (setting: Setting) => Setting {
  return ({ key, value }) => {
    const isPath = key === "core.excludesfile" || key === "core.attributesfile";
    return isPath && home !== undefined && value.startsWith("~/")
      ? { key, value: join(home, value.slice(2)) }
      : { key, value };
  };
}

/** The files that git reads where the configuration names none. */
function listDefaultFiles(environment: Environment): readonly Setting[] {
  const home = environment["HOME"];
  const configured = environment["XDG_CONFIG_HOME"];
  const folder =
    configured !== undefined && configured !== "" ? configured : home === undefined ? null : join(home, ".config");
  if (folder === null) return [];
  return [
    { key: "core.excludesfile", value: join(folder, "git", "ignore") },
    { key: "core.attributesfile", value: join(folder, "git", "attributes") },
  ];
}

function toVariables(list: readonly Setting[]): Record<string, string> {
  const pairs = list.flatMap(({ key, value }, index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(list.length) };
}
