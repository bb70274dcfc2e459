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
  const given = lines.map((line) => halves(line, line.indexOf(": "), 2));
  const unknown = given.filter(([key]) => !HEADERS.includes(key));
  if (split === -1 || unknown.length > 0) throw new Error(`${name}: unreadable header ${String(unknown)}`);
  const all = (key: string) => given.filter(([other]) => other === key).map(([, value]) => value);
  const [expected = "SUCCESS"] = all("expect");
  return {
    name,
    says,
    expect: expected.split(" | "),
    holds: all("holds").map((line) => {
      const [path, json] = halves(line, line.indexOf(' "'), 1);
      return [path, String(JSON.parse(json))];
    }),
    gone: all("gone"),
    modes: all("mode").map((line) => halves(line, line.lastIndexOf(" "), 1)),
    task: {
      ...taskOf(all),
      task_id: name,
      intent: says,
      builder: { mode: "patch", patch: patchOf(text, all) },
    },
  };
}

type Headers = (key: string) => readonly string[];

function halves(line: string, at: number, gap: number): readonly [string, string] {
  return [line.slice(0, at), line.slice(at + gap)];
}

function patchOf(text: string, all: Headers): string {
  const body = text.slice(text.indexOf("\n%%\n") + "\n%%\n".length);
  return all("decode").includes("yes") ? body.replaceAll("\\x00", "\0").replaceAll("\\r", "\r") : body;
}

function taskOf(all: Headers): object {
  const [kind = "execute"] = all("task-kind");
  const [allowed = "src/**"] = all("allowed");
  const [lines = "50"] = all("lines");
  return {
    milestone_id: "M-1",
    task_kind: kind,
    scope: {
      allowed_globs: allowed.split(", "),
      forbidden_globs: [],
      allow_new_files: all("new-files").includes("yes"),
      allow_lockfile_changes: false,
    },
    diff_limits: { max_files_touched: 5, max_lines_changed: Number(lines) },
    verification: { fast: [], slow: [] },
  };
}
