/** JSON documents with keys in them: readable by their owner only, and read only if that is so. */
import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import type * as v from "valibot";
import { parseWith } from "../base/schema-error.ts";
import { describeError } from "../base/errors.ts";
import { writeAtomic } from "./atomic-file.ts";
import { readBounded } from "./bounded-file.ts";
import { makeFolders } from "./folders.ts";

const BYTES_MAX = 4 * 1024 * 1024;

export type PrivateRead<T> =
  | { readonly kind: "read"; readonly value: T }
  | { readonly kind: "missing" }
  /** The reason names the file. */
  | { readonly kind: "unusable"; readonly reason: string };

export async function readPrivate<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): Promise<PrivateRead<v.InferOutput<Schema>>> {
  const read = await readBounded(path, BYTES_MAX);
  if (read.kind === "missing") return read;
  if (read.kind === "refused") return { kind: "unusable", reason: `${path}: ${read.reason}` };
  if ((lstatSync(path).mode & 0o077) !== 0)
    return { kind: "unusable", reason: `${path} can be read by others: chmod 600` };
  try {
    const parsed = parseWith(schema, JSON.parse(read.data.toString("utf8")));
    if (parsed.kind === "valid") return { kind: "read", value: parsed.value };
    return { kind: "unusable", reason: `${path}: ${parsed.problems.map(({ message }) => message).join("; ")}` };
  } catch (error) {
    return { kind: "unusable", reason: `${path} is no JSON: ${describeError(error)}` };
  }
}

export async function writePrivate(path: string, value: unknown): Promise<void> {
  makeFolders(dirname(path), 0o700);
  await writeAtomic(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}
