/**
 * Writes into one folder of the workspace, and collects problems instead of throwing.
 *
 * No document is written that its own schema would refuse, because the next tick would be blocked by it.
 */
import { relative } from "node:path";
import type { GenericSchema } from "valibot";
import { parseWith } from "../base/schema-error.ts";
import { describeError } from "../base/describe-error.ts";
import { openPublishedFolder, type PublishedFolder } from "../journal/published-folder.ts";

export interface Publication {
  /** Each file that could not be written, with the reason. */
  readonly problems: readonly string[];
  /** Null removes the file. */
  readonly text: (name: string, text: string | null) => Promise<void>;
  /** Writes a document as JSON and answers with its text; null where nothing was written. */
  readonly document: (name: string, schema: GenericSchema, value: unknown) => Promise<string | null>;
  readonly copy: (name: string, source: string) => Promise<void>;
  /** Copies the journal: only its new lines where the copy has the others. */
  readonly copyJournal: (name: string, source: string) => Promise<void>;
}

/** If the folder is refused, every file in it is a problem. */
export async function openPublication(root: string, directory: string): Promise<Publication> {
  const folder = relative(root, directory);
  const opened = await openPublishedFolder({ root, path: folder });
  const problems: string[] = [];
  const attempt = async (name: string, act: (folder: PublishedFolder) => Promise<void>): Promise<boolean> => {
    try {
      if (opened.kind === "refused") throw new Error(`${opened.path}: ${opened.reason}`);
      await act(opened.folder);
      return true;
    } catch (error) {
      problems.push(`${folder}/${name}: ${describeError(error)}`);
      return false;
    }
  };
  const text: Publication["text"] = async (name, content) => {
    await attempt(name, ({ write, remove }) => (content === null ? remove(name) : write(name, content)));
  };
  return {
    problems,
    text,
    document: async (name, schema, value) => {
      if (value === null) {
        await text(name, null);
        return null;
      }
      const content = `${JSON.stringify(value, null, 2)}\n`;
      const written = await attempt(name, async ({ write }) => {
        assertValid(schema, value);
        await write(name, content);
      });
      return written ? content : null;
    },
    copy: async (name, source) => {
      await attempt(name, ({ copy }) => copy(name, source));
    },
    copyJournal: async (name, source) => {
      await attempt(name, ({ copyJournal }) => copyJournal(name, source));
    },
  };
}

function assertValid(schema: GenericSchema, value: unknown): void {
  const parsed = parseWith(schema, value);
  if (parsed.kind === "invalid")
    throw new Error(`it would not be valid: ${parsed.problems[0]?.message ?? "for an unknown reason"}`);
}
