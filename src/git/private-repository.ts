/**
 * A repository of our own, beside the user's.
 *
 * Content is measured through an index, a configuration and attributes that nobody else can write, while objects are
 * read from the user's store. It is made by writing its files: `git init` would consult templates and configuration.
 */
import { copyFileSync, lstatSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeError, MeasurementError } from "../base/errors.ts";
import { readBounded } from "../system/bounded-file.ts";
import { readErrorCode } from "../system/read-files.ts";
import { quoteStore } from "./git-environment.ts";
import { makeFolders } from "../system/folders.ts";

export interface PrivateRepository {
  readonly gitDir: string;
  readonly objectDirectory: string;
  readonly indexFile: string;
}

interface PrivateRepositoryOptions {
  readonly objectFormat?: "sha1" | "sha256";
  /** Object stores to read from; what is written stays in the private one. */
  readonly alternates?: readonly string[];
  /** Whether objects are written into the user's own store, whose files have the modes that the user chose. */
  readonly isWritingElsewhere?: boolean;
}

/** Bytes as they are on disk: no conversion, no filter, and every file compared as text. */
const RAW_BYTES = "* -text -filter -ident -working-tree-encoding diff !merge\n";
/** A file that is not text, or that is too large to compare, is not compared line by line. */
const RAW_BYTES_TEXT_COMPARED = "* -text -filter -ident -working-tree-encoding diff=compared !merge\n";

const CORE = [
  "[core]",
  "\tbare = false",
  "\tfilemode = true",
  "\tsymlinks = true",
  "\tignorecase = false",
  "\thooksPath = /dev/null",
  "\tfsmonitor = false",
  "\tuntrackedCache = false",
  "\tautocrlf = false",
  "\tattributesFile = /dev/null",
  "\texcludesFile = /dev/null",
  "\tprotectHFS = true",
  "\tprotectNTFS = true",
  "\tlogAllRefUpdates = false",
];

/** Writes an empty repository into `dir` (created, private to the user). */
export async function createPrivateRepository(
  dir: string,
  options: PrivateRepositoryOptions = {},
): Promise<PrivateRepository> {
  const objectDirectory = join(dir, "objects");
  makeFolders(dir, 0o700);
  makeFolders(join(objectDirectory, "info"), 0o700);
  makeFolders(join(dir, "refs"), 0o700);
  makeFolders(join(dir, "info"), 0o700);
  await writePrivateFiles(dir, options);
  return { gitDir: dir, objectDirectory, indexFile: join(dir, "index") };
}

/** Its files by name. HEAD is the last, because it is what makes the folder a repository. */
function listPrivateFiles({
  objectFormat = "sha1",
  alternates = [],
  isWritingElsewhere = false,
}: PrivateRepositoryOptions) {
  return Object.entries({
    config: renderConfig(objectFormat, isWritingElsewhere),
    "info/attributes": RAW_BYTES,
    "info/exclude": "",
    "objects/info/alternates": alternates.map((store) => `${quoteStore(store)}\n`).join(""),
    HEAD: "ref: refs/heads/none\n",
  });
}

/** Files that would lead git elsewhere, or make it obey more than the configuration. We never make them. */
const NEVER_OURS = ["commondir", "gitdir", "config.worktree", "shallow", "info/grafts", "info/sparse-checkout"];

/** Writes its files again. Entries in their place are removed first, so that nothing is written through a link. */
export async function writePrivateFiles(dir: string, options: PrivateRepositoryOptions = {}): Promise<void> {
  const files = listPrivateFiles(options);
  for (const name of [...NEVER_OURS, ...files.map(([own]) => own)]) {
    // A new folder has none of them, and many are new.
    if (isInPlace(dir, name)) rmSync(join(dir, name), { recursive: true, force: true });
  }
  for (const [name, text] of files) writeFileSync(join(dir, name), text, { flag: "wx", mode: 0o600 });
}

function isInPlace(dir: string, name: string): boolean {
  return lstatSync(join(dir, name), { throwIfNoEntry: false }) !== undefined;
}

/** Whether its files are those that were written, and nothing is there that would lead git elsewhere. */
export async function isPrivateStill(dir: string): Promise<boolean> {
  if (NEVER_OURS.some((name) => isInPlace(dir, name))) return false;
  for (const [name, text] of listPrivateFiles({})) {
    const read = await readBounded(join(dir, name), text.length);
    if (read.kind !== "read" || read.data.toString("latin1") !== text) return false;
  }
  return true;
}

/** Lets git tell text from other content, whatever the attributes inside the tree say. */
export async function compareOnlyText({ gitDir }: PrivateRepository): Promise<void> {
  writeFileSync(join(gitDir, "info", "attributes"), RAW_BYTES_TEXT_COMPARED);
}

/** Takes over the user's private attributes and ignore rules, for content that is to be stored as a commit would. */
export async function adoptInfo({ gitDir }: PrivateRepository, commonDir: string): Promise<void> {
  for (const name of ["attributes", "exclude"]) {
    const theirs = join(commonDir, "info", name);
    try {
      copyFileSync(theirs, join(gitDir, "info", name));
    } catch (error) {
      if (readErrorCode(error) !== "ENOENT") throw new MeasurementError(theirs, describeError(error));
      writeFileSync(join(gitDir, "info", name), "");
    }
  }
}

/** Whatever the umask is, git then writes for the user alone. */
const FOR_THE_USER_ALONE = "\tsharedRepository = 0600";

function renderConfig(objectFormat: "sha1" | "sha256", isWritingElsewhere: boolean): string {
  const format =
    objectFormat === "sha1"
      ? ["\trepositoryformatversion = 0"]
      : ["\trepositoryformatversion = 1", "[extensions]", "\tobjectFormat = sha256"];
  const modes = isWritingElsewhere ? [] : [FOR_THE_USER_ALONE];
  return `${[...CORE, ...modes, ...format, "[gc]", "\tauto = 0"].join("\n")}\n`;
}
