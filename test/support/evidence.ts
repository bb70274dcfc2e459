/** Evidence to judge, with everything harmless that a test does not name. */
import type { Change, EntrySide, Evidence, Rules } from "../../src/records/evidence.ts";
import type { Finding } from "../../src/records/judgement.ts";
import { RECORD_VERSION } from "../../src/base/record-version.ts";
import { judge } from "../../src/judge/pure/judge.ts";

export function rules(overrides: Partial<Rules> = {}): Rules {
  return {
    task_kind: "execute",
    allowed_globs: ["src/**"],
    forbidden_globs: [],
    runner_owned_globs: ["relais/**", "relais.config.json"],
    allow_new_files: true,
    allow_lockfile_changes: false,
    lockfiles: ["package-lock.json"],
    max_files_touched: null,
    max_lines_changed: null,
    ignored: "report",
    ignored_writable_globs: [],
    ...overrides,
  };
}

export function side(overrides: Partial<EntrySide> = {}): EntrySide {
  return { type: "file", mode: "0644", size: 1, id: null, link_target: null, hard_links: 1, ...overrides };
}

export function link(target: string | null): EntrySide {
  return side({ type: "symlink", mode: "0777", link_target: target });
}

/** A change of a tracked file, unless said otherwise. */
export function change(path: string, overrides: Partial<Change> = {}): Change {
  return {
    path,
    path_base64: null,
    before: side(),
    after: side({ size: 2 }),
    standing: "tracked",
    lines_added: 1,
    lines_deleted: 0,
    bytes_changed: 1,
    inside_repository: null,
    collides_with: null,
    made_readable: false,
    ...overrides,
  };
}

/** An entry that was not there before. */
export function added(path: string, after: EntrySide = side()): Change {
  return change(path, { before: null, after, standing: "untracked" });
}

export function evidence(changes: Change[], overrides: Partial<Omit<Evidence, "changes">> = {}): Evidence {
  return {
    version: RECORD_VERSION,
    rules: rules(),
    builder_failure: null,
    head: null,
    metadata: [],
    changes,
    attributes_touched: { count: 0, paths: [] },
    ...overrides,
  };
}

/** The findings of one gate about the given changes. */
export function findingsOf(gate: string, changes: Change[], overrides: Partial<Rules> = {}): Finding[] {
  return judge(evidence(changes, { rules: rules(overrides) })).findings.filter((finding) => finding.gate === gate);
}
