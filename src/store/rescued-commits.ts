/** What rollbacks kept of git's own data, and of ignored files after a crash. */
import type { Rescued } from "../records/rescued.ts";
import { join } from "node:path";
import { readBounded } from "../system/bounded-file.ts";
import { listFolders } from "../system/list-folders.ts";

const LOG_BYTES_MAX = 64 * 1024 * 1024;
const LINE = /^(?<at>\S+) (?<ref>.+?) (?<text>".*")$/;
const ID = "[0-9a-f]{40}(?:[0-9a-f]{24})?";

export async function findRescued(stateDirectory: string): Promise<Rescued> {
  const folder = join(stateDirectory, "rescued");
  const read = await readBounded(join(folder, "refs.log"), LOG_BYTES_MAX);
  const lines = read.kind === "read" ? read.data.toString("utf8").split("\n") : [];
  const commits = new Map<string, Rescued["commits"][number]>();
  for (const commit of lines.toReversed().flatMap(readCommits)) {
    const name = `${commit.ref} ${commit.id}`;
    if (!commits.has(name)) commits.set(name, commit);
  }
  const files = join(folder, "files");
  const names = await listFolders(files);
  return {
    objects: join(folder, "objects"),
    commits: [...commits.values()],
    folders: names.toReversed().map((name) => join(files, name)),
  };
}

/** One line of the list: a ref holds an id, and the log of the stash one for each stash. */
function readCommits(line: string): readonly Rescued["commits"][number][] {
  const { at, ref, text } = LINE.exec(line)?.groups ?? {};
  if (at === undefined || ref === undefined || text === undefined) return [];
  const content = unquote(text);
  const only = new RegExp(`^${ID}$`).exec(content)?.[0];
  const logged = [...content.matchAll(new RegExp(`^${ID} (?<id>${ID}) `, "gm"))];
  const ids = only === undefined ? logged.map(({ groups }) => groups?.["id"] ?? "").toReversed() : [only];
  return ids.map((id) => ({ at, ref: ref.replace(/^logs\//, ""), id }));
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return ""; // A line that was cut short.
  }
}
