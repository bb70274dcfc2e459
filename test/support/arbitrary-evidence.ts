/** Arbitrary evidence within the schema, with names and globs that often meet. */
import fc from "fast-check";
import {
  type Change,
  type EntrySide,
  type Evidence,
  GitArea,
  type MetadataChange,
  type Rules,
} from "../../src/records/evidence.ts";
import { RECORD_VERSION } from "../../src/base/record-version.ts";

const component = fc.oneof(
  fc.constantFrom("src", "SRC", "a", ".git", "relais", ".env", "secret", "package-lock.json", "é", "e\u0301"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 }),
);
const text = fc.string({ unit: "binary", maxLength: 12 });

const arbitraryPath: fc.Arbitrary<string> = fc
  .array(component, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("/"));

const glob = fc.oneof(
  fc.constantFrom("**", "src/**", "**/*secret*", "**/.env*", "{a,b}/**", "[id]/*.ts", "!x", "/abs", "+(+(a))", "[z-a]"),
  fc.string({ unit: fc.constantFrom(...Array.from("ab*?[]{},/.!-^|()+\\é")), minLength: 1, maxLength: 30 }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 30 }),
);
const globs = fc.array(glob, { maxLength: 4 });
const cap = fc.option(fc.nat({ max: 50 }), { nil: null });

const arbitraryRules: fc.Arbitrary<Rules> = fc.record({
  task_kind: fc.constantFrom(null, "execute", "verify_only", "question"),
  allowed_globs: globs,
  forbidden_globs: globs,
  runner_owned_globs: globs,
  allow_new_files: fc.boolean(),
  allow_lockfile_changes: fc.boolean(),
  lockfiles: fc.array(component, { maxLength: 2 }),
  max_files_touched: cap,
  max_lines_changed: cap,
  ignored: fc.constantFrom("report", "forbid", "allow"),
  ignored_writable_globs: globs,
});

const arbitrarySide: fc.Arbitrary<EntrySide> = fc.record({
  type: fc.constantFrom("file", "directory", "symlink", "fifo", "socket", "device", "gitlink"),
  mode: fc.nat({ max: 0o7777 }).map((mode) => mode.toString(8).padStart(4, "0")),
  size: fc.nat(),
  id: fc.option(fc.constant("0".repeat(40)), { nil: null }),
  link_target: fc.option(fc.oneof(arbitraryPath, text, fc.constantFrom("..", "../..", "/etc")), {
    nil: null,
  }),
  hard_links: fc.nat({ max: 3 }),
});
const maybeSide = fc.option(arbitrarySide, { nil: null });

export const arbitraryChange: fc.Arbitrary<Change> = fc.record({
  path: fc.oneof(arbitraryPath, text),
  path_base64: fc.option(fc.constant("/w=="), { nil: null, freq: 9 }),
  before: maybeSide,
  after: maybeSide,
  standing: fc.constantFrom("tracked", "untracked", "ignored"),
  lines_added: fc.nat({ max: 30 }),
  lines_deleted: fc.nat({ max: 30 }),
  bytes_changed: fc.nat({ max: 60_000 }),
  inside_repository: fc.option(arbitraryPath, { nil: null }),
  collides_with: fc.option(arbitraryPath, { nil: null }),
  made_readable: fc.boolean(),
});

export const arbitraryMetadata: fc.Arbitrary<MetadataChange> = fc.record({
  area: fc.constantFrom(...GitArea.options),
  subject: text,
  change: fc.constantFrom("added", "removed", "modified"),
  detail: fc.option(text, { nil: null }),
});

const arbitraryHead = fc.record({
  text: fc.constantFrom("ref: refs/heads/main", "ref: refs/heads/other", "0".repeat(40)),
  commit: fc.constantFrom(null, "0".repeat(40), "1".repeat(40)),
});

export const arbitraryEvidence: fc.Arbitrary<Evidence> = fc.record({
  version: fc.constant(RECORD_VERSION),
  rules: arbitraryRules,
  builder_failure: fc.option(
    fc.record({ code: fc.constantFrom("STOP_BUILDER_TIMEOUT", "STOP_INTERRUPTED"), cause: text }),
    { nil: null, freq: 1 },
  ),
  head: fc.option(fc.record({ before: arbitraryHead, after: arbitraryHead }), { nil: null }),
  metadata: fc.array(arbitraryMetadata, { maxLength: 3 }),
  changes: fc.array(arbitraryChange, { maxLength: 5 }),
  not_compared: fc.array(text, { maxLength: 3 }),
  attributes_touched: fc.record({ count: fc.nat({ max: 9 }), paths: fc.array(text, { maxLength: 3 }) }),
});
