/**
 * A patch that is tried on a real repository: a text file in `test/fixtures/patches/malicious` or `honest`. Above a line
 * of `%%` stands what the harness must know, below it the patch. Adding one is adding one file.
 *
 *     # What it tries, in one sentence.
 *     # expect: CODE cause            for a malicious one; where several are right, with ` | ` between them
 *     # allowed: globs instead of the usual scope      # new-files: yes      # lines: 1      # task-kind: verify_only
 *     # decode: yes, where `\x00` and `\r` stand for those characters
 *     # holds: PATH "JSON text"       for an honest one: what the file must hold then
 *     # gone: PATH                    what must not be there then
 *     # mode: PATH 0755
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface PatchFixture {
  readonly name: string;
  readonly says: string;
  readonly expect: readonly string[];
  readonly holds: readonly (readonly [path: string, text: string])[];
  readonly gone: readonly string[];
  readonly modes: readonly (readonly [path: string, mode: string])[];
  readonly task: object;
}

const HEADERS = ["expect", "allowed", "new-files", "lines", "task-kind", "decode", "holds", "gone", "mode"];

/** All of one folder, in a stable order. */
export function patchFixtures(kind: "malicious" | "honest"): readonly PatchFixture[] {
  const folder = join(import.meta.dirname, "../fixtures/patches", kind);
  return readdirSync(folder)
    .toSorted()
    .map((file) => read(file.replace(/\.txt$/, ""), readFileSync(join(folder, file), "utf8")));
}

function read(name: string, text: string): PatchFixture {
  const split = text.indexOf("\n%%\n");
  const [says = "", ...lines] = text
    .slice(0, split)
    .split("\n")
    .map((line) => line.replace(/^# /, ""));
  const given = lines.map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]);
  const unknown = given.find(([key = ""]) => !HEADERS.includes(key));
  if (split === -1 || unknown !== undefined)
    throw new Error(`${name}: unreadable header ${unknown?.[0] ?? ""}`);
  const all = (key: string) => given.filter(([other]) => other === key).map(([, value = ""]) => value);
  const one = (key: string) => all(key)[0];
  const body = text.slice(split + "\n%%\n".length);
  const patch = one("decode") === "yes" ? body.replaceAll("\\x00", "\0").replaceAll("\\r", "\r") : body;
  return {
    name,
    says,
    expect: one("expect")?.split(" | ") ?? ["SUCCESS"],
    holds: all("holds").map((line) => {
      const at = line.indexOf(' "');
      return [line.slice(0, at), String(JSON.parse(line.slice(at + 1)))];
    }),
    gone: all("gone"),
    modes: all("mode").map((line) => [
      line.slice(0, line.lastIndexOf(" ")),
      line.slice(line.lastIndexOf(" ") + 1),
    ]),
    task: {
      task_id: name,
      milestone_id: "M-1",
      task_kind: one("task-kind") ?? "execute",
      intent: says,
      scope: {
        allowed_globs: (one("allowed") ?? "src/**").split(", "),
        forbidden_globs: [],
        allow_new_files: one("new-files") === "yes",
        allow_lockfile_changes: false,
      },
      diff_limits: { max_files_touched: 5, max_lines_changed: Number(one("lines") ?? 50) },
      verification: { fast: [], slow: [] },
      builder: { mode: "patch", patch },
    },
  };
}
