/**
 * A repository of our own, beside the user's.
 *
 * Content is measured through an index, a configuration and attributes that nobody else can write, while objects are
 * read from the user's store. It is made by writing its files: `git init` would consult templates and configuration.
 */
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MeasurementError } from "../contract/measurement-error.ts";
import { errorCode } from "./error-code.ts";
import { quotedStore } from "./git-environment.ts";
import { makeFolders } from "./make-folders.ts";

export interface PrivateRepository {
  readonly gitDir: string;
  readonly objectDirectory: string;
  readonly indexFile: string;
}

interface PrivateRepositoryOptions {
  readonly objectFormat?: "sha1" | "sha256";
  /** Object stores to read from; what is written stays in the private one. */
  readonly alternates?: readonly string[];
}

/** Bytes as they are on disk: no conversion, no filter, and every file compared as text. */
const RAW_BYTES = "* -text -filter -ident -working-tree-encoding diff !merge\n";
/** As above, but a file that is not text, or too large to compare, is not compared line by line. */
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

/** Writes an empty repository into `dir` (created, private to the user) and says where its parts are. */
export async function createPrivateRepository(
  dir: string,
  options: PrivateRepositoryOptions = {},
): Promise<PrivateRepository> {
  const objectDirectory = join(dir, "objects");
  makeFolders(dir, 0o700);
  makeFolders(join(objectDirectory, "info"));
  makeFolders(join(objectDirectory, "pack"));
  makeFolders(join(dir, "refs", "heads"));
  makeFolders(join(dir, "info"));
  await writeFile(join(dir, "config"), configText(options.objectFormat ?? "sha1"));
  await writeFile(join(dir, "info", "attributes"), RAW_BYTES);
  await writeFile(join(dir, "info", "exclude"), "");
  await writeFile(
    join(objectDirectory, "info", "alternates"),
    (options.alternates ?? []).map((store) => `${quotedStore(store)}\n`).join(""),
  );
  // Last, because HEAD is what makes the folder a repository.
  await writeFile(join(dir, "HEAD"), "ref: refs/heads/none\n");
  return { gitDir: dir, objectDirectory, indexFile: join(dir, "index") };
}

/** Leaves it to git to tell text from other content, whatever the attributes inside the tree say. */
export async function compareOnlyText({ gitDir }: PrivateRepository): Promise<void> {
  await writeFile(join(gitDir, "info", "attributes"), RAW_BYTES_TEXT_COMPARED);
}

/** Takes over the user's private attributes and ignore rules, for content that is to be stored as a commit would. */
export async function adoptInfo({ gitDir }: PrivateRepository, commonDir: string): Promise<void> {
  for (const name of ["attributes", "exclude"]) {
    const theirs = join(commonDir, "info", name);
    try {
      await copyFile(theirs, join(gitDir, "info", name));
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw new MeasurementError(theirs, reasonOf(error));
      await writeFile(join(gitDir, "info", name), "");
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function configText(objectFormat: "sha1" | "sha256"): string {
  const format =
    objectFormat === "sha1"
      ? ["\trepositoryformatversion = 0"]
      : ["\trepositoryformatversion = 1", "[extensions]", "\tobjectFormat = sha256"];
  return `${[...CORE, ...format, "[gc]", "\tauto = 0"].join("\n")}\n`;
}
