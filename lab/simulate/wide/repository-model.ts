/** The worktree and its commits: paths with their texts. A text says who wrote it, because every text is written once. */
export type Files = ReadonlyMap<string, string>;

interface ModelCommit {
  readonly parent: string | null;
  readonly files: Files;
  readonly by: string;
}

export interface Snapshot {
  readonly files: Files;
  readonly head: string;
}

export const ROOT = "/repo";
export const BRANCH = "ref: refs/heads/work";

export class RepositoryModel {
  files = new Map<string, string>();
  readonly commits = new Map<string, ModelCommit>();
  head = "";
  /** Texts that relais saved before it reverted them. */
  readonly rescued = new Set<string>();
  readonly #ids = new Map<string, string>();
  readonly #texts = new Map<string, string>();

  commit(by: string, files: Files, parent: string | null = this.head): string {
    const id = String(this.commits.size + 1).padStart(40, "c");
    this.commits.set(id, { parent, files: new Map(files), by });
    this.head = id;
    return id;
  }

  committed(): Files {
    return this.commits.get(this.head)?.files ?? new Map();
  }

  look(): Snapshot {
    return { files: new Map(this.files), head: this.head };
  }

  listDirty(): readonly string[] {
    return listDifferences(this.files, this.committed());
  }

  /** The name of a text, as a blob has it. */
  identify(text: string): string {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = String(this.#ids.size + 1).padStart(40, "0");
    this.#ids.set(text, id);
    this.#texts.set(id, text);
    return id;
  }

  textOf(id: string): string {
    const text = this.#texts.get(id);
    if (text === undefined) throw new Error(`no text has the id ${id}`);
    return text;
  }

  /** Whether HEAD or one of its parents is this commit. */
  isOnBranch(id: string): boolean {
    for (let at: string | null = this.head; at !== null; at = this.commits.get(at)?.parent ?? null)
      if (at === id) return true;
    return false;
  }

  /** Whether the text is in the worktree or in a commit of the branch. */
  has(text: string): boolean {
    for (const each of this.files.values()) if (each === text) return true;
    for (let at: string | null = this.head; at !== null; at = this.commits.get(at)?.parent ?? null)
      for (const each of this.commits.get(at)?.files.values() ?? []) if (each === text) return true;
    return false;
  }
}

export function listDifferences(left: Files, right: Files): readonly string[] {
  const paths: string[] = [];
  for (const [path, text] of left) if (right.get(path) !== text) paths.push(path);
  for (const path of right.keys()) if (!left.has(path)) paths.push(path);
  return paths;
}
