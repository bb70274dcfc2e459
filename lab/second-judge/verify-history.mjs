#!/usr/bin/env node
/**
 * Judges every recorded tick of a repository again, without relais.
 *
 * This file shares no code with relais and imports nothing but Node, so that a fault in relais's code is not repeated
 * here by itself. Its authors had read the judge of relais, so it may share a misreading. It needs the ledger (or the
 * journal), the folder of the history and, for commits, git. Each part begins with its rules, so that a third judge can
 * be written from them; docs/files.md says what this one finds.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The version of the records that this file knows. */
const KNOWN_VERSION = 1;

// ---------------------------------------------------------------- Globs
//
// `**` as a whole segment stands for any number of names, at the end for at least one; `*` for any text in a name; `?` for
// one character; `[…]` for one of its characters or for that text itself; `{a,b}` for each of its parts, and the glob as it
// is written matches too. Names are compared in NFC. An allowed glob matches the exact path. A forbidden glob matches in any
// case, the path or a folder above it, and `a/**` covers `a`; `**/.env*` leaves out names that end in `.example`, `.sample`,
// `.template` or `.dist`.
//
// A glob that cannot be used allows nothing and forbids everything: empty, longer than 400 characters, with a control
// character or a backslash, `!` or `/` at the beginning, `/` at the end, an empty, `.` or `..` segment, an extended glob such
// as `+(`, a range in braces, a named class, braces that do not pair, more than 64 patterns, or one that takes too long.

const TOKEN = /\*+|\?|\[[!^]?\]?[^\]]+\]|\[\]\]|[^*?[]+|\[/gu;
const isClass = (token) => token.length > 1 && token.startsWith("[");
const escapeText = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
const splitTokens = (segment) => segment.match(TOKEN) ?? [];
const splitPattern = (pattern) => pattern.split("/").filter((one, at, all) => one !== "**" || all[at - 1] !== "**");

/** Case and normalisation do not count: every decomposed character goes down, up and down again. */
function foldName(name) {
  return Array.from(name.normalize("NFD"), foldCharacter).join("").normalize("NFC");
}

const foldCharacter = (character) => character.toLowerCase().toUpperCase().toLowerCase();

/** All patterns that braces stand for; a pair without a comma is text. */
function expandBraces(glob) {
  const done = new Set();
  const open = [glob];
  while (open.length > 0 && done.size <= 64 && open.length <= 4096) {
    const pattern = open.pop();
    const group = /\{(?<inside>[^{}]*,[^{}]*)\}/u.exec(pattern) ?? findOuterGroup(pattern);
    if (group === null) done.add(pattern);
    else {
      const [head, tail] = [pattern.slice(0, group.index), pattern.slice(group.index + group[0].length)];
      for (const part of group[0].slice(1, -1).split(",")) open.push(head + part + tail);
    }
  }
  return [...done];
}

/** A group around a pair without a comma, such as `{a{b},c}`. */
function findOuterGroup(pattern) {
  const starts = [];
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === "{") starts.push(at);
    const start = pattern[at] === "}" ? starts.pop() : undefined;
    const text = start === undefined ? "" : pattern.slice(start, at + 1);
    if (text.includes(",")) return { 0: text, index: start };
  }
  return null;
}

function isUsableGlob(glob) {
  const text = glob.normalize("NFC");
  if (text === "" || glob.length > 400 || /\p{Cc}|\\|^!|[@!+*?]\(|\{[^{},]*\.\.[^{},]*\}|\[:[a-z]+:\]/iu.test(text))
    return false;
  if (!hasPairedBraces(text) || !hasPlainSegments(text)) return false;
  const patterns = expandBraces(text);
  return patterns.length <= 64 && patterns.every((one) => hasPlainSegments(one) && isQuickPattern(one));
}

function hasPairedBraces(text) {
  let depth = 0;
  for (const character of text) {
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

const hasPlainSegments = (pattern) => pattern.split("/").every((one) => one !== "" && one !== "." && one !== "..");

/** At most 8 classes, 3 stars in a segment, 2 inner `**`, and 3 wildcards that can end in several places. */
function isQuickPattern(pattern) {
  const classes = pattern.split("/").flatMap(splitTokens).filter(isClass);
  if (classes.length > 8 || !classes.every(isOrderedClass)) return false;
  const segments = splitPattern(pattern);
  const inner = segments.slice(0, -1).filter((one) => one === "**").length;
  const stars = segments.map((one) => (one === "**" ? 0 : splitTokens(one).filter((token) => token[0] === "*").length));
  const free = stars.reduce((sum, count) => sum + Math.max(0, count - 1), inner);
  return inner <= 2 && free <= 3 && stars.every((count) => count <= 3);
}

function writeClass(token) {
  const isNegated = /^\[[!^]./su.test(token) && token.length > 3;
  const members = token.slice(isNegated ? 2 : 1, -1).replace(/[\\[\]^]/gu, String.raw`\$&`);
  return `[${isNegated ? "^" : ""}${members}]`;
}

function isOrderedClass(token) {
  try {
    return new RegExp(writeClass(token), "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/** A segment is `**`, or an expression for one name. A class is also the text that it is written with. */
function readSegment(segment, fold, flags) {
  if (segment === "**") return segment;
  const tokens = splitTokens(segment);
  const source = tokens.map((token) => {
    if (token.startsWith("*")) return "[^/]*";
    if (token === "?") return "[^/]";
    const text = escapeText(fold(token));
    return isClass(token) ? `(?:(?!/)${writeClass(token)}|${text})` : text;
  });
  const name = new RegExp(`^(?:${source.join("")})$`, flags);
  const isOpen = /^[*?]/u.test(segment);
  return (text) => name.test(text) && !(isOpen && (text === "." || text === ".." || text === ""));
}

/** Whether the segments cover the names, all of them or, if a prefix is enough, the first ones. */
function matchSegments([segment, ...rest], names, isPrefixEnough) {
  const [name, ...others] = names;
  if (segment === "**") return matchGlobstar(rest, names, isPrefixEnough);
  if (name === undefined || !segment(name)) return false;
  if (rest.length === 0) return others.length === 0 || isPrefixEnough;
  return matchSegments(rest, others, isPrefixEnough);
}

/** At the end it needs one name more; elsewhere it may stand for none. */
function matchGlobstar(rest, names, isPrefixEnough) {
  if (rest.length === 0) return names.length > 0;
  return names.some((_, at) => matchSegments(rest, names.slice(at), isPrefixEnough));
}

const EXACT = { fold: (text) => text, flags: "su", coversFolder: false };
const FOLDED = { fold: foldName, flags: "isu", coversFolder: true };

/** Allowed: the exact path. A glob that cannot be used allows nothing. */
export function makeAllowed(globs) {
  const usable = globs.filter(isUsableGlob).map((glob) => ({ glob, ...readGlob(glob, EXACT) }));
  return (path) => {
    const exact = path.normalize("NFC");
    return usable.find(({ matches }) => matches(exact))?.glob ?? null;
  };
}

/** Forbidden: any case, the path or a folder above it. A glob that cannot be used forbids everything. */
export function makeForbidden(globs) {
  const unusable = globs.find((glob) => !isUsableGlob(glob)) ?? null;
  const usable = globs.filter(isUsableGlob).map((glob) => ({ glob, ...readGlob(glob, FOLDED) }));
  const find = (path) => usable.find(({ matches }) => matches(path))?.glob ?? null;
  return (path) => {
    const [folded, exact] = [foldName(path), path.normalize("NFC")];
    return unusable ?? find(folded) ?? (folded.length === exact.length ? null : find(exact));
  };
}

/** Its meaning where it forbids: the templates of such files are left out. */
const ENVIRONMENT_FILES = "**/.env*";
const isEnvironmentFile = (name) => name.startsWith(".env") && !/\.(?:example|sample|template|dist)$/u.test(name);

function readGlob(glob, { fold, flags, coversFolder }) {
  if (coversFolder && glob === ENVIRONMENT_FILES)
    return { matches: (path) => path.toLowerCase().split("/").some(isEnvironmentFile) };
  const text = glob.normalize("NFC");
  const patterns = expandBraces(text).map((pattern) => {
    const segments = splitPattern(pattern);
    const isWhole = coversFolder && segments.length > 1 && segments.at(-1) === "**";
    return (isWhole ? segments.slice(0, -1) : segments).map((one) => readSegment(one, fold, flags));
  });
  // A file may be called exactly as the glob is written, braces included.
  const literal = new RegExp(`^(?:${escapeText(fold(text))})${coversFolder ? "(?:/|$)" : "$"}`, flags);
  const matches = (path) =>
    patterns.some((segments) => matchSegments(segments, path.split("/"), coversFolder)) ||
    (text.includes("{") && literal.test(path));
  return { matches };
}

// ---------------------------------------------------------------- The judgement
//
// `judged` has the SHA-256 of `evidence.json`. The gates look at it in the order of the list below; every finding counts.
// Those that only hold a change (`STOP_SUSPECT`) come last, and each entry of `accepted` with the gate, the subject without
// its line and the quoted text takes one of them away. The first finding names the code. The cause is `too_many_files` or `too_many_bytes` with `excess`, else the cause of the
// builder's failure, else `forbidden_content`, `credential` or the rule of the gate that names the code.
//
// An ignored path is accepted under `ignored_writable_globs`, unless `ignored_guarded_globs` has it. It is noted if it is a
// dependency of a change with an allowed lockfile, and no other forbidden glob names it. It is protected under a forbidden
// glob. Else `ignored` decides: `allow` accepts, `report` notes, `forbid` refuses, and notes a new one that is not guarded.
// A folder is granted if the folder itself or `x` inside it matches.

const isVisible = ({ standing }) => standing !== "ignored";
const isFile = (side) => side !== null && side.type !== "directory";
const isFolderOnly = ({ before, after }) => !isFile(before) && !isFile(after);
const isNewFile = ({ before, after }) => !isFile(before) && isFile(after);
const grantsFolder = (matcher, path) => matcher(path) ?? matcher(`${path}/x`);
const grants = (matcher, change) => (isFolderOnly(change) ? grantsFolder(matcher, change.path) : matcher(change.path));

/** The judgement of the evidence: code, cause, size, and each finding without its sentence. */
export function judgeEvidence(evidence) {
  const rules = compileRules(evidence);
  const found = GATES.flatMap(({ gate, find }) => find(evidence, rules).map((one) => ({ gate, glob: null, ...one })));
  const findings = [...found.filter(({ code }) => code !== HELD), ...listHeld(found, rules.accepted)];
  const [first] = findings;
  const { excess, builder_failure: failure } = evidence;
  const isOfPath = first?.code === HELD && first.gate === "forbidden-scope";
  const gateCause = isOfPath ? "starts_programs" : (GATES.find(({ gate }) => gate === first?.gate)?.cause ?? null);
  return {
    code: first?.code ?? "SUCCESS",
    cause: excess === undefined ? (failure?.cause ?? gateCause) : `too_many_${excess.kind}`,
    findings,
    blast_radius: measure(evidence.changes),
  };
}

const HELD = "STOP_SUSPECT";
const nameHeld = ({ gate, subject, quote = "" }) => JSON.stringify([gate, subject.replace(/:\d+$/, ""), quote]);

function listHeld(found, accepted = []) {
  const left = accepted.map(nameHeld);
  return found
    .filter(({ code }) => code === HELD)
    .filter((one) => {
      const at = left.indexOf(nameHeld(one));
      return at === -1 || left.splice(at, 1).length === 0;
    });
}

const DEPENDENCY_FOLDERS =
  "node_modules bower_components .pnpm-store .venv venv site-packages __pypackages__ vendor".split(" ");
const matchDependency = makeForbidden(DEPENDENCY_FOLDERS.map((name) => `**/${name}/**`));

function compileRules({ rules, changes }) {
  const findLockfile = makeLockfileFinder(rules.lockfiles);
  return {
    ...rules,
    allowed: makeAllowed(rules.allowed_globs),
    ceiling: rules.ceiling_globs === undefined ? null : makeAllowed(rules.ceiling_globs),
    forbidden: makeProtection(rules),
    isHeld: makeHeldTest(rules),
    runnerOwned: makeForbidden(rules.runner_owned_globs),
    writable: makeAllowed(rules.ignored_writable_globs),
    guarded: makeForbidden(rules.ignored_guarded_globs ?? []),
    findLockfile,
    installs: rules.allow_lockfile_changes && changes.some((one) => isVisible(one) && findLockfile(one.path) !== null),
  };
}

/** What a person lifted is not forbidden. */
function makeProtection({ forbidden_globs: globs, lifted_paths: lifted = [] }) {
  const forbidden = makeForbidden(globs);
  return (path) => (lifted.includes(path) ? null : forbidden(path));
}

/** A person decides about paths that only these globs forbid. */
function makeHeldTest({ forbidden_globs: globs, held_globs: held = [] }) {
  const [refuses, holds] = [makeForbidden(globs.filter((glob) => !held.includes(glob))), makeForbidden(held)];
  return (path) => holds(path) !== null && refuses(path) === null;
}

function makeLockfileFinder(names) {
  const known = new Map(names.map((name) => [foldName(name), name]));
  return (path) => known.get(foldName(path.split("/").at(-1))) ?? known.get(foldName(path)) ?? null;
}

const countLines = ({ lines_added, lines_deleted }) => lines_added + lines_deleted;

function measure(changes) {
  const seen = changes.filter(isVisible);
  const sum = (key) => seen.reduce((total, change) => total + change[key], 0);
  const [largest] = seen.toSorted((one, two) => countLines(two) - countLines(one) || (one.path < two.path ? -1 : 1));
  return {
    files_touched: seen.filter((change) => !isFolderOnly(change)).length,
    lines_added: sum("lines_added"),
    lines_deleted: sum("lines_deleted"),
    new_files: seen.filter(isNewFile).length,
    ...(largest === undefined || countLines(largest) === 0 ? {} : { largest: describeLargest(largest) }),
  };
}

const describeLargest = ({ path, lines_added, lines_deleted }) => ({
  path: cutText(path, 400),
  lines_added,
  lines_deleted,
});

function cutText(text, max) {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1);
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

/** What becomes of a changed path that git ignores. */
function decideIgnored(rules, change) {
  const guarded = rules.guarded(change.path);
  if (guarded === null && grants(rules.writable, change) !== null) return { fate: "accepted" };
  const glob = rules.forbidden(change.path);
  const isInstalled = rules.installs && grantsFolder(matchDependency, change.path) !== null;
  if (isInstalled && (glob === null || DEPENDENCY_FOLDERS.some((name) => glob.includes(name))))
    return { fate: "noted" };
  if (glob !== null) return { fate: "protected", glob };
  if (rules.ignored !== "forbid") return { fate: rules.ignored === "allow" ? "accepted" : "noted" };
  const isNoted = change.before === null && guarded === null;
  return isNoted ? { fate: "noted" } : { fate: "refused", glob: guarded };
}

const WHOLE = "the change as a whole";
const NOTED_AREAS = ["remote_refs", "noise"];
const STILL_KINDS = { question: "STOP_QUESTION_SIDE_EFFECTS", verify_only: "STOP_VERIFY_ONLY_SIDE_EFFECTS" };

/** In order: the first finding names the code. */
const GATES = [
  {
    gate: "growth",
    find: ({ excess }) => (excess === undefined ? [] : [{ code: "STOP_DIFF_TOO_LARGE", subject: WHOLE }]),
  },
  { gate: "builder-failure", find: ({ builder_failure: failure }) => (failure === null ? [] : [nameFailure(failure)]) },
  { gate: "head-moved", find: ({ head }) => (head === null ? [] : findMoves(head)) },
  {
    gate: "git-metadata",
    find: ({ metadata }) =>
      metadata
        .filter(({ area }) => !NOTED_AREAS.includes(area))
        .map(({ subject }) => ({ code: "STOP_GIT_METADATA_MUTATION", subject })),
  },
  {
    gate: "runner-owned",
    find: ({ changes }, { runnerOwned }) => findByGlob(changes, runnerOwned, "STOP_RUNNER_OWNED_MUTATION"),
  },
  { gate: "task-kind", find: findKindFaults },
  { gate: "unsafe-path", find: findUnsafe },
  { gate: "forbidden-scope", find: findForbidden },
  {
    gate: "forbidden-content",
    cause: "forbidden_content",
    find: ({ changes }) =>
      changes
        .filter((one) => isVisible(one) && one.forbidden_content !== undefined)
        .map(({ path }) => ({ code: "STOP_SCOPE_VIOLATION_FORBIDDEN", subject: path })),
  },
  {
    gate: "credentials",
    cause: "credential",
    find: ({ changes }) =>
      changes
        .filter(isVisible)
        .flatMap(({ path, credentials = [] }) =>
          credentials.map(() => ({ code: "STOP_SCOPE_VIOLATION_FORBIDDEN", subject: path })),
        ),
  },
  {
    gate: "allowed-scope",
    find: ({ changes }, { allowed, ceiling }) =>
      changes
        .filter(isVisible)
        .filter((one) => grants(allowed, one) === null || (ceiling !== null && grants(ceiling, one) === null))
        .map(({ path }) => ({ code: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED", subject: path })),
  },
  {
    gate: "new-files",
    find: ({ changes }, { allow_new_files: mayAdd }) =>
      changes
        .filter((one) => !mayAdd && isVisible(one) && isNewFile(one))
        .map(({ path }) => ({ code: "STOP_SCOPE_VIOLATION_NEW_FILE", subject: path })),
  },
  {
    gate: "lockfiles",
    find: ({ changes }, { allow_lockfile_changes: mayChange, findLockfile }) =>
      mayChange ? [] : findByGlob(changes.filter(isVisible), findLockfile, "STOP_LOCKFILE_CHANGE_FORBIDDEN"),
  },
  {
    gate: "ignored-files",
    find: ({ changes }, rules) =>
      changes
        .filter((one) => !isVisible(one))
        .map((one) => ({ path: one.path, ...decideIgnored(rules, one) }))
        .filter(({ fate }) => fate === "refused")
        .map(({ path, glob }) => ({ code: "STOP_IGNORED_MUTATION", subject: path, glob })),
  },
  { gate: "diff-size", find: findExcess },
  {
    gate: "uncommitted-paths",
    cause: "dirty_path",
    find: ({ changes }, { uncommitted_paths: paths = [] }) =>
      changes
        .filter((one) => isVisible(one) && paths.includes(one.path))
        .map(({ path }) => ({ code: HELD, subject: path })),
  },
  ...["suppression", "test_aware", "deleted_tests", "hollow_tests", "reads_tests", "test_literals", "no_effect"].map(
    (rule) => ({
      gate: rule.replaceAll("_", "-"),
      cause: rule,
      find: ({ changes }, rules) => findWeakened(changes.filter(isVisible), rules, rule),
    }),
  ),
  {
    gate: "no-change",
    find: ({ changes, builder_failure: failure }, { change_required: isRequired }) =>
      isRequired === true && failure === null && measure(changes).files_touched === 0
        ? [{ code: "STOP_NO_CHANGE", subject: WHOLE }]
        : [],
  },
];

function findByGlob(changes, matcher, code) {
  return changes.flatMap(({ path }) => {
    const glob = matcher(path);
    return glob === null ? [] : [{ code, subject: path, glob }];
  });
}

function nameFailure({ code }) {
  const isPatch = code === "STOP_PATCH_INVALID" || code === "STOP_PATCH_APPLY_FAILED";
  return { code, subject: isPatch ? "patch" : "builder" };
}

function findMoves({ before, after }) {
  const branch = /^ref: (?<name>.+)$/su.exec(after.text)?.groups.name ?? "HEAD";
  const code = "STOP_HEAD_MOVED";
  return [
    ...(before.text === after.text ? [] : [{ code, subject: "HEAD" }]),
    ...(before.commit === after.commit ? [] : [{ code, subject: branch }]),
  ];
}

function findKindFaults({ changes }, rules) {
  const code = STILL_KINDS[rules.task_kind];
  if (code === undefined) return [];
  const counts = (change) => {
    if (isVisible(change) || rules.task_kind === "question") return true;
    return ["protected", "refused"].includes(decideIgnored(rules, change).fate);
  };
  return changes.filter(counts).map(({ path }) => ({ code, subject: path }));
}

function findForbidden({ changes }, rules) {
  const { lifted_paths: lifted = [] } = rules;
  const holdsLifted = (one) => isFolderOnly(one) && lifted.some((path) => path.startsWith(`${one.path}/`));
  const ignored = changes.filter((one) => !isVisible(one)).map((one) => ({ one, ...decideIgnored(rules, one) }));
  const code = "STOP_SCOPE_VIOLATION_FORBIDDEN";
  return [
    ...findByGlob(
      changes.filter((one) => isVisible(one) && !holdsLifted(one)),
      rules.forbidden,
      code,
    ).map((one) => (rules.isHeld(one.subject) ? { ...one, code: HELD } : one)),
    ...ignored.filter(({ fate }) => fate === "protected").map(({ one, glob }) => ({ code, subject: one.path, glob })),
  ];
}

function findExcess({ changes }, { max_files_touched: files, max_lines_changed: lines }) {
  const { files_touched, lines_added, lines_deleted } = measure(changes);
  const bytes = changes.filter(isVisible).reduce((sum, { bytes_changed }) => sum + bytes_changed, 0);
  return [
    files !== null && files_touched > files,
    lines !== null && lines_added + lines_deleted > lines,
    lines !== null && bytes > lines * 1000,
  ]
    .filter(Boolean)
    .map(() => ({ code: "STOP_DIFF_TOO_LARGE", subject: WHOLE }));
}

/** A kind whose default is `stop` stops, whatever the setting of its rule. Places that stop come before those that hold. */
function findWeakened(changes, { weakening, suspicions }, rule) {
  if (weakening === undefined) return [];
  const choose = (one) => {
    const setting = one.default === "stop" ? "stop" : (weakening.rules[rule] ?? one.default);
    return setting === "hold" ? (suspicions ?? setting) : setting;
  };
  const list = (wanted, code) =>
    changes.flatMap(({ path, weakened = [] }) =>
      weakened
        .filter((one) => one.rule === rule && choose(one) === wanted)
        .map(({ line, text }) =>
          rule === "no_effect" ? { code, subject: "the change" } : { code, subject: `${path}:${line}`, quote: text },
        ),
    );
  return [...list("stop", "STOP_CHECKS_WEAKENED"), ...list("hold", HELD)];
}

// ---------------------------------------------------------------- Unsafe entries
//
// A visible entry is unsafe if it has a new name that is unsafe (not UTF-8, too long, empty, `.`, `..`, like `.git` on any
// system, with control or invisible characters outside an emoji, with `\\ : * ? " < > |`, with white space at an end or a dot
// at the end of a part, or a Windows device); if it is a submodule; a new pipe, socket or device; has a new set-id or sticky
// bit (a folder: only set-id bits that an existing one got), more hard links than before, a new name that collides, or a path
// inside another repository; if it became unreadable; or if it is a new link that is absolute, leaves the repository, climbs
// after a name, leads to the root or into git's data, or whose target is protected or not allowed. An ignored entry that is
// not writable is unsafe as a pipe, as a device and with such bits only.

const bits = ({ mode }) => Number.parseInt(mode, 8);
const isSpecial = (type) => type === "fifo" || type === "socket" || type === "device";

const nameDangers = ({ path }, dangers) => dangers.map((glob) => ({ code: "STOP_UNSAFE_PATH", subject: path, glob }));

function findUnsafe({ changes }, rules) {
  const ignored = changes.filter((one) => !isVisible(one) && grants(rules.writable, one) === null);
  return [
    ...changes.filter(isVisible).flatMap((one) => nameDangers(one, listDangers(one, rules))),
    ...ignored.flatMap((one) => nameDangers(one, listIgnoredDangers(one))),
  ];
}

/** One entry for each danger: the glob that a link leads to, or null. */
function listDangers(change, rules) {
  const { before, after, collides_with: twin } = change;
  const isAdded = before === null && after !== null;
  const dangers = [
    isAdded && isUnsafeName(change),
    before?.type === "gitlink" || after?.type === "gitlink",
    isNewSpecial(change),
    addsModeBits(change),
    after?.type === "file" &&
      after.hard_links > 1 &&
      !(before?.type === "file" && before.hard_links >= after.hard_links),
    change.inside_repository !== null,
    twin !== null && isAdded,
    change.made_readable || becomesUnreadable(change),
  ];
  const link = findLinkDanger(change, rules);
  return [...dangers.filter(Boolean).map(() => null), ...(link === undefined ? [] : [link])];
}

function listIgnoredDangers(change) {
  const isPlainSocket = change.after?.type === "socket";
  return [!isPlainSocket && isNewSpecial(change), addsModeBits(change)].filter(Boolean).map(() => null);
}

const isNewSpecial = ({ before, after }) => after !== null && after.type !== before?.type && isSpecial(after.type);

function addsModeBits({ before, after }) {
  if (after === null) return false;
  const isFolder = after.type === "directory";
  if (isFolder && before?.type !== "directory") return false;
  const old = before?.type === after.type ? bits(before) : 0;
  return (bits(after) & (isFolder ? 0o6000 : 0o7000) & ~old) !== 0;
}

const isReadable = (side) => (side.type !== "file" && side.type !== "directory") || (bits(side) & 0o400) !== 0;

function becomesUnreadable({ before, after }) {
  if (after === null || isReadable(after)) return false;
  return !(before?.type === after.type && !isReadable(before));
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}|[\u{fff9}-\u{fffb}]/gu;
const EMOJI_GLUE =
  /(?<=\p{Extended_Pictographic}[\u{fe0f}\p{Emoji_Modifier}]*)\u{200d}(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\u{fe0f}|\u{fe0f}(?=\u{20e3})/gu;
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])$/u;

/** Names that a system may take for `.git`. */
function isGitLike(name) {
  const base = foldName(name.replace(INVISIBLE, ""))
    .split(":")[0]
    .replace(/[. ]+$/u, "");
  return base === ".git" || /^git~\d+$/u.test(base);
}

function isUnsafeName({ path, path_base64: bytes }) {
  return bytes !== null || Buffer.byteLength(path) > 1024 || path.split("/").some(isUnsafeComponent);
}

function isUnsafeComponent(name) {
  if (["", ".", ".."].includes(name) || isGitLike(name) || Buffer.byteLength(name) > 255) return true;
  if (/[\p{Cc}\u{2028}\u{2029}\p{Cs}\\:*?"<>|]/u.test(name)) return true;
  if (name.replace(EMOJI_GLUE, "").search(INVISIBLE) !== -1) return true;
  return name.trim() !== name || name.endsWith(".") || DEVICE.test(foldName(name).split(".")[0].trimEnd());
}

/** Undefined for a harmless link; else the glob that protects its target, or null. */
function findLinkDanger({ path, before, after }, rules) {
  if (after?.type !== "symlink") return undefined;
  const target = after.link_target;
  if (before?.type === "symlink" && target !== null && before.link_target === target) return undefined;
  const inside = resolveLink(path, target);
  if (inside === null) return null;
  const glob = rules.runnerOwned(inside) ?? rules.forbidden(inside);
  if (glob !== null) return glob;
  return grantsFolder(rules.allowed, inside) === null ? null : undefined;
}

/** Null if the text of the link is absolute, leaves the repository, or leads into git's data. */
function resolveLink(path, target) {
  if (target === null || target === "" || target.startsWith("/")) return null;
  const steps = target.split("/").filter((step) => step !== "" && step !== ".");
  const climbs = steps.findIndex((step) => step !== "..");
  const up = climbs === -1 ? steps.length : climbs;
  const down = steps.slice(up);
  const folder = path.split("/").slice(0, -1);
  if (down.includes("..") || up > folder.length) return null;
  const names = [...folder.slice(0, folder.length - up), ...down];
  return names.length === 0 || names.some(isGitLike) ? null : names.join("/");
}

// ---------------------------------------------------------------- The journal
//
// Each event is one line of JSON that ends with `,"sha256":"…"}`: the SHA-256 of the line without that key, with the closing
// brace in its place. `prev` is the SHA-256 of the whole line before, without its newline, and null in the first line. `seq`
// counts from 0. `relais/ledger.jsonl` is a copy of the journal, and all lines with one `run_id` are one tick.

const sha256 = (data) => createHash("sha256").update(data).digest("hex");

/** The lines of a journal, up to the first one that breaks the chain. */
export function readLines(data) {
  const lines = [];
  let end = { seq: 0, sha256: null };
  for (let start = 0; start < data.length;) {
    const stop = data.indexOf(10, start);
    if (stop === -1) return { lines, trouble: `line ${lines.length + 1} has no end` };
    const text = data.subarray(start, stop);
    const read = readLine(text, end);
    if (typeof read === "string") return { lines, trouble: `line ${lines.length + 1} ${read}` };
    lines.push(read);
    end = { seq: end.seq + 1, sha256: sha256(text) };
    start = stop + 1;
  }
  return { lines, trouble: null };
}

function readLine(bytes, end) {
  const seal = /,"sha256":"(?<sum>[0-9a-f]{64})"\}$/u.exec(bytes.toString("latin1"));
  if (seal === null) return "does not end with its own hash";
  const body = Buffer.concat([bytes.subarray(0, seal.index), Buffer.from("}")]);
  if (sha256(body) !== seal.groups.sum) return "is not what its own hash says";
  const line = parseJson(body);
  if (line === null) return "is not JSON";
  if (line.seq !== end.seq) return `has the number ${line.seq}, expected ${end.seq}`;
  return line.prev === end.sha256 ? line : "does not name the hash of the line before it";
}

function parseJson(data) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(data));
  } catch {
    return null;
  }
}

// ---------------------------------------------------------------- The course of a tick
//
// The last of these events names the code: `refused`; `baselined` with a code; `judged` with another code than `SUCCESS`, or
// with `SUCCESS` for a question (`STOP_QUESTION`); `verified`, if it has a code, and `STOP_SUSPECT` of `judged` stays unless
// that code is another one, where a red run passes only with the state `red_before` or `flaky`, or `asked` if its
// `oracle` is `base`, and a failed check has such a run; `reviewed`, which follows no failed check and no suspicion; `decided` (`STOP_REJECTED` or
// `STOP_UNDECIDED`); `interrupted`, unless a rollback was decided or the tick is settled; `rollback_failed`.
//
// `SUCCESS` is settled by `on_success` of `tick_started`. A failed check or a refused review of a change that was judged
// `SUCCESS` is settled by `on_failure`. Everything else is rolled back. A change is kept only after its checks, if the task
// names some or the workflow has its own; after its review, if there is one; and after `accept` of a person, if there is `ask`.
//
// `left_out` of `planned` names required checks that a person chose not to run: none of them ran, and where an orchestrator
// planned, there are none.

const RED = ["STOP_VERIFY_FAILED_FAST", "STOP_VERIFY_FAILED_SLOW", "STOP_GUARD_FAILED"];
const SETTLING = ["asked", "settle_started"];
const AFTER_CHECKS = ["review_started", ...SETTLING];

/** Which event may follow which, in one tick. `interrupted` and `abandoned` may follow any that is not the end. */
const FOLLOWS = {
  tick_started: ["refused", "preflight_passed", "reported"],
  preflight_passed: ["prepared", "refused"],
  prepared: ["plan_started", "planned", "refused"],
  plan_started: ["plan_rejected", "planned", "refused", "handed_over"],
  plan_rejected: ["plan_started", "planned", "refused"],
  handed_over: ["plan_started", "planned", "refused", "build_started", "review_started"],
  planned: ["baselined", "build_started", "judged"],
  baselined: ["build_started", "settle_started"],
  build_started: ["build_ended", "refused", "handed_over"],
  build_ended: ["judged"],
  judged: ["written", "verified", ...AFTER_CHECKS],
  written: ["verified", ...AFTER_CHECKS],
  verified: AFTER_CHECKS,
  review_started: ["review_answered", "reviewed", "handed_over"],
  review_answered: ["review_answered", "reviewed", "handed_over"],
  reviewed: SETTLING,
  asked: ["decided"],
  decided: ["judged", "settle_started"],
  refused: ["settle_started", "reported"],
  interrupted: ["settle_started", "settled", "rollback_failed", "reported", "tick_ended"],
  settle_started: ["settled", "rollback_failed"],
  settled: ["reported"],
  rollback_failed: ["reported", "settle_started"],
  reported: ["tick_ended"],
  abandoned: ["tick_ended"],
};
const AFTER_END =
  "accepted rejected undone answered milestone_opened pruned series_waiting series_resumed series_ended settled abandoned".split(
    " ",
  );

/** Follows the events of one tick and says where they contradict each other. */
export function followTick(events) {
  const known = { started: events[0], outcome: null, keeps: false, action: null, isSettled: false, seen: {} };
  const faults = [];
  const end = events.findIndex(({ type }) => type === "tick_ended");
  const course = end === -1 ? events : events.slice(0, end);
  for (const [at, event] of course.entries()) {
    const before = course[at - 1];
    if (!mayFollow(before, event)) faults.push(`${event.type} follows ${before?.type ?? "nothing"}`);
    faults.push(...applyEvent(known, event));
  }
  if (end !== -1) faults.push(...checkEnd(known, events.slice(end)));
  return { ...known, ended: end === -1 ? null : events[end], faults };
}

function mayFollow(before, event) {
  if (before === undefined) return ["tick_started", "abandoned"].includes(event.type);
  if (event.type === "interrupted" || event.type === "abandoned") return true;
  return FOLLOWS[before.type]?.includes(event.type) ?? false;
}

const APPLY = {
  refused: (known, { code, cause }) => decideOutcome(known, { code, cause }),
  planned: ({ seen }, { left_out: ids = [] }) =>
    seen.plan_started !== undefined && ids.length > 0 ? [`a plan leaves out ${ids.join(", ")}`] : [],
  baselined: (known, { code }) => (code === null ? [] : decideOutcome(known, { code, cause: null })),
  judged: applyJudged,
  verified: (known, event) => {
    const stays = known.seen.judged?.code === HELD && [null, HELD].includes(event.code);
    const { left_out: ids = [] } = known.seen.planned ?? {};
    const ran = event.runs.filter(({ template_id: id }) => ids.includes(id));
    const faults = ran.map(({ template_id: id }) => `${id} is left out, and it ran`);
    return [...faults, ...checkRuns(event), ...decideOutcome(known, readOutcome(stays ? known.seen.judged : event))];
  },
  reviewed: applyReviewed,
  decided: applyDecided,
  interrupted: applyInterrupted,
  abandoned: (known) => decideOutcome(known, { code: "STOP_INTERRUPTED", cause: "abandoned" }),
  settle_started: applySettling,
  settled: applySettled,
  rollback_failed: (known) => {
    known.isSettled = true;
    return decideOutcome(known, { code: "BLOCKED_ROLLBACK_FAILED", cause: null });
  },
};

function applyEvent(known, event) {
  const faults = APPLY[event.type]?.(known, event) ?? [];
  known.seen[event.type] = event;
  return faults;
}

const readOutcome = ({ code, cause }) => (code === null ? { code: "SUCCESS", cause: null } : { code, cause });

function decideOutcome(known, outcome) {
  known.outcome = outcome;
  return [];
}

function applyJudged(known, event) {
  known.seen.verified = undefined;
  known.seen.reviewed = undefined;
  known.seen.decided = undefined;
  const { code, cause } = event;
  const isQuestion = code === "SUCCESS" && known.seen.planned?.task.question !== undefined;
  return decideOutcome(known, isQuestion ? { code: "STOP_QUESTION", cause: null } : { code, cause });
}

const isRed = ({ exit_code: status }) => status !== 0;

const isExcused = ({ state, oracle }) =>
  ["red_before", "flaky"].includes(state) || (state === "asked" && oracle === "base");

/** A red run that was not red before cannot have passed, and a failed check has a red run. */
function checkRuns({ code, runs, findings }) {
  const broken = runs.filter((run) => isRed(run) && !isExcused(run));
  const [first] = broken;
  if (code === null && first !== undefined) return [`${first.template_id} ended with ${first.exit_code} and passed`];
  if (RED.includes(code) && !runs.some(isRed)) return [`${code} without a failed check`];
  const needsFinding = code !== null && !RED.includes(code);
  return needsFinding && !findings.some((finding) => finding.code === code) ? [`${code} without a finding`] : [];
}

const APPROVALS = ["approve", "complete", "pass"];

function applyReviewed(known, event) {
  const gate = known.started.review;
  const red = known.seen.verified?.code ?? null;
  decideOutcome(known, readOutcome(event));
  if (red !== null) return [`a review after ${red}`];
  if (gate === undefined) return ["a review that nobody asked for"];
  const strangers = event.reviews.filter(({ name }) => !gate.reviewers.includes(name));
  const votes = event.reviews.flatMap((review) => checkVote(review));
  return [...strangers.map(({ name }) => `${name} is no reviewer of this tick`), ...votes, ...countVotes(gate, event)];
}

function checkVote({ name, vote, decision }) {
  const said = decision?.decision ?? decision?.verdict;
  if (vote === "none") return [];
  if (typeof said !== "string") return decision === null ? [`${name} has a vote without a decision`] : [];
  return (vote === "approve") === APPROVALS.includes(said) ? [] : [`${name} said ${said}, and its vote is ${vote}`];
}

function countVotes({ quorum, role, reviewers }, { code, reviews }) {
  if (code === "STOP_RATE_LIMITED") return [];
  const approvals = new Set(reviews.filter(({ vote }) => vote === "approve").map(({ name }) => name)).size;
  const needed = role === "verifier" ? reviewers.length : quorum;
  const isApproved = approvals >= needed;
  if (isApproved === (code === null)) return [];
  return [`${approvals} of ${needed} votes, and the review ended with ${code ?? "an approval"}`];
}

function applyDecided(known, { decision, question }) {
  const asked = known.seen.asked;
  const faults = asked?.question === question ? [] : ["a decision about another question"];
  if (decision === "edit") known.outcome = null;
  if (decision === "reject") decideOutcome(known, { code: "STOP_REJECTED", cause: null });
  if (decision === "none") decideOutcome(known, { code: "STOP_UNDECIDED", cause: null });
  return faults;
}

/** A settled tick stays as it is, and a rollback that was decided keeps its reason. */
function applyInterrupted(known, { code, cause }) {
  if (known.isSettled) return [];
  const isDecided = known.outcome !== null && !isWaiting(known) && chooseAction(known) === "rollback";
  return isDecided || known.action === "rollback" ? [] : decideOutcome(known, { code, cause });
}

/** Whether more than the settlement is to come: checks, or a review. */
function isWaiting(known) {
  return listMissing(known).length > 0;
}

function listMissing({ seen, started, outcome }) {
  const { planned, judged } = seen;
  if (!["SUCCESS", HELD].includes(judged?.code) || planned?.task.question !== undefined) return [];
  if (wantsChecks(planned) && seen.verified === undefined) return ["checks"];
  if (judged.code === HELD || seen.verified?.code === HELD) return [];
  const isReviewed = seen.reviewed !== undefined || outcome?.code === "STOP_INTERRUPTED";
  return !isReviewed && wantsReview(seen, started.review) ? ["review"] : [];
}

function wantsChecks({ task: { verification }, own_checks: own = 0 }) {
  return verification !== undefined && verification.fast.length + verification.slow.length + own > 0;
}

function wantsReview({ planned, verified, build_started: building }, gate) {
  if (gate === undefined || building?.attempts !== undefined) return false;
  const kind = planned.task.task_kind;
  const isAsked = kind === "execute" || (kind === "verify_only" && gate.of_verify_only === true);
  const code = verified?.code ?? null;
  return isAsked && code === null;
}

function chooseAction({ started, seen, outcome }) {
  if (outcome.code === "SUCCESS") return started.on_success;
  const isFailedWork = [...RED, "STOP_REVIEW_REFUSED"].includes(outcome.code) && seen.judged?.code === "SUCCESS";
  return started.on_failure === "commit" && isFailedWork ? "commit" : "rollback";
}

function applySettling(known, { action }) {
  known.action = action;
  if (known.outcome === null) return ["it is settled without a verdict"];
  const expected = chooseAction(known);
  if (action !== expected) return [`${known.outcome.code} is settled by ${action}, expected ${expected}`];
  if (action === "rollback") return [];
  const { judged, decided } = known.seen;
  if (judged === undefined) return ["it is kept without a judgement"];
  const isHeld = known.started.ask !== undefined && judged.touched_paths_total > 0;
  const missing = listMissing(known).map((what) => `it is kept without its ${what}`);
  return isHeld && decided?.decision !== "accept" ? [...missing, "it is kept without the person's answer"] : missing;
}

function applySettled(known, { action, commit }) {
  known.isSettled = true;
  known.commit = commit;
  return action === known.action ? [] : [`settled by ${action}, announced was ${known.action}`];
}

function checkEnd({ outcome, isSettled, seen }, [ended, ...after]) {
  const { code, cause } = outcome ?? { code: "nothing", cause: null };
  const verdict = code.startsWith("STOP_") ? "stop" : code.startsWith("BLOCKED_") ? "blocked" : "success";
  const isSame = ended.code === code && ended.cause === cause;
  const needs = seen.prepared !== undefined && seen.abandoned === undefined && hasWorked(seen) && !isSettled;
  return [
    ...(isSame ? [] : [`it ended with ${name(ended)}, and its events lead to ${name({ code, cause })}`]),
    ...(ended.verdict === verdict ? [] : [`the verdict ${ended.verdict} of ${ended.code}`]),
    ...(needs ? ["it ended without being settled"] : []),
    ...after.filter(({ type }) => !AFTER_END.includes(type)).map(({ type }) => `${type} follows the end`),
  ];
}

const name = ({ code, cause }) => (cause === null ? code : `${code} (${cause})`);
const hasWorked = ({ plan_started: planning, build_started: building, judged }) =>
  (planning ?? building ?? judged) !== undefined;

// ---------------------------------------------------------------- The files of a tick
//
// `reported.history_files` names every file of the tick's folder with its SHA-256. `report.json` and `meta.json` have the run,
// the code, the commit, the size, the statuses of the checks and the votes of the journal. Sentences of findings and notes
// are not compared: they decide nothing.

const same = (one, two) => JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(two));

function sortKeys(value) {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]));
}

/** Every recorded file with its hash, and no other. */
function checkFiles(folder, recorded) {
  const found = listFiles(folder);
  const known = new Set(recorded.map(({ name: file }) => file));
  return [
    ...recorded.flatMap(({ name: file, sha256: sum }) => {
      if (!found.includes(file)) return [`${file} is missing`];
      if (!lstatSync(join(folder, file)).isFile()) return [`${file} is no file`];
      return sha256(readFileSync(join(folder, file))) === sum ? [] : [`${file} is not the recorded one`];
    }),
    ...found.filter((file) => !known.has(file)).map((file) => `${file} was added`),
  ];
}

function listFiles(folder, prefix = "") {
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    return entry.isDirectory() ? listFiles(folder, path) : [path];
  });
}

function checkJudged(judged, evidence) {
  const judgement = judgeEvidence(evidence);
  const paths = evidence.changes.filter(isVisible).map(({ path }) => path);
  const compared = [
    ["code", judged.code, judgement.code],
    ["cause", judged.cause, judgement.cause],
    ["size", judged.blast_radius, judgement.blast_radius],
    [
      "findings",
      judged.findings.map(pickFinding),
      judgement.findings.slice(0, judged.findings.length).map(pickFinding),
    ],
    ["number of findings", judged.findings_total, judgement.findings.length],
    ["paths", judged.touched_paths, paths.slice(0, judged.touched_paths.length)],
    ["number of paths", judged.touched_paths_total, paths.length],
  ];
  return compared
    .filter(([, recorded, found]) => !same(recorded, found))
    .map(([what, recorded, found]) => `judged ${what}: recorded ${brief(recorded)}, found ${brief(found)}`);
}

const pickFinding = ({ gate, code, subject, glob }) => ({ gate, code, subject, glob });

function brief(value) {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

/** What a person reads must be what the journal says. */
function checkReport(folder, runId, course) {
  const faults = [];
  const report = parseJson(readFileSync(join(folder, "report.json")));
  const meta = parseJson(readFileSync(join(folder, "meta.json")));
  if (report === null || meta === null) return ["report.json or meta.json is not JSON"];
  const { ended, seen, commit = null } = course;
  const review = report.review?.reviewers.map(({ name: who, vote }) => [who, vote]) ?? null;
  const compared = [
    ["report run", report.run_id, runId],
    ["report code", report.code, ended.code],
    ["report verdict", report.verdict, ended.verdict],
    ["report commit", report.settle?.commit ?? null, commit],
    ["meta run", meta.run_id, runId],
    ["meta code", meta.code, ended.code],
    ["report left out", report.verification.left_out ?? [], seen.planned?.left_out ?? []],
    ...(seen.judged === undefined ? [] : [["report size", report.blast_radius, seen.judged.blast_radius]]),
    ...(seen.verified === undefined
      ? []
      : [
          [
            "report checks",
            report.verification.runs.map(pickRun),
            seen.verified.runs.map(pickRun).slice(0, report.verification.runs.length),
          ],
        ]),
    ...(seen.reviewed === undefined
      ? []
      : [["report votes", review, seen.reviewed.reviews.map(({ name: who, vote }) => [who, vote])]]),
  ];
  for (const [what, recorded, expected] of compared)
    if (!same(recorded, expected))
      faults.push(`${what}: recorded ${brief(recorded)}, the journal says ${brief(expected)}`);
  return faults;
}

const pickRun = ({ template_id: id, exit_code: status }) => [id, status];

// ---------------------------------------------------------------- The commit of a tick
//
// A commit of a kept change differs from `base_commit` of `preflight_passed` (after `relais accept`: from its parent) only in
// visible paths of the evidence, with the git ids in `after`, and in files of the workspace. Where the commit has a
// `.gitattributes`, filters may apply, and ids are not compared.

function git(root, ...args) {
  const options = { cwd: root, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 30 };
  const env = {
    PATH: process.env.PATH,
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    LC_ALL: "C",
  };
  try {
    return execFileSync("git", ["--no-optional-locks", ...args], { ...options, env });
  } catch {
    return null;
  }
}

/** The commit holds the judged paths, with the judged content, and besides them only files of the workspace. */
function checkCommit({ root, workspace }, { from, commit, evidence }) {
  if (git(root, "cat-file", "-e", `${commit}^{commit}`) === null)
    return { faults: [], unknown: "its commit is not in this clone" };
  const raw = git(root, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from, commit);
  if (raw === null) return { faults: [], unknown: "its commit cannot be compared with its base" };
  const isFiltered = (git(root, "ls-tree", "-r", "-z", "--name-only", commit) ?? "").includes(".gitattributes");
  const judged = new Map((evidence?.changes ?? []).filter(isVisible).map((change) => [nameBytes(change), change]));
  const faults = [];
  for (const { path, id } of readRaw(raw)) {
    const change = judged.get(path);
    if (change === undefined) {
      if (!path.startsWith(`${workspace}/`)) faults.push(`its commit changes ${path}, which was not judged`);
    } else if (!isFiltered && !isSameContent(change, id)) {
      faults.push(`its commit has another content of ${path}`);
    }
  }
  return { faults, unknown: null };
}

const nameBytes = ({ path, path_base64: bytes }) =>
  bytes === null ? path : Buffer.from(bytes, "base64").toString("latin1");

function isSameContent({ after }, id) {
  if (/^0+$/u.test(id)) return after === null || after.type === "directory";
  return after !== null && (after.id === null || after.id === id || after.type === "gitlink");
}

function readRaw(raw) {
  const parts = raw.toString("utf8").split("\0").slice(0, -1);
  return parts.flatMap((part, at) => (at % 2 === 0 ? [{ id: part.split(" ")[3], path: parts[at + 1] }] : []));
}

/** A path in the patch of a kept change that the evidence does not have. */
function checkPatch(folder, evidence) {
  const file = join(folder, "diff.patch");
  if (!existsSync(file)) return [];
  const known = new Set(evidence.changes.map(({ path }) => path));
  const named = [...readFileSync(file, "utf8").matchAll(/^diff --git a\/(?<path>.+) b\/\k<path>$/gmu)];
  return named.flatMap(({ groups }) =>
    known.has(groups.path) ? [] : [`diff.patch changes ${groups.path}, which was not judged`],
  );
}

// ---------------------------------------------------------------- All of it

/** `agrees`, `disagrees` with what, or `unchecked` with why; for each tick of the journal, in its order. */
export function verifyHistory({ root, journal, workspace = findWorkspace(root) }) {
  const place = { root, workspace, histories: findHistories(root, workspace) };
  const path = journal ?? join(root, workspace, "ledger.jsonl");
  if (!existsSync(path)) return { trouble: `there is no journal at ${path}`, isMissing: true, ticks: [] };
  const { lines, trouble } = readLines(readFileSync(path));
  const runs = [...new Set(lines.map(({ run_id: run }) => run))];
  const ticks = runs.map((run) =>
    verifyTick(
      place,
      run,
      lines.filter((line) => line.run_id === run),
    ),
  );
  const unknown = place.histories.flatMap(listFolders).filter((folder) => !runs.includes(folder));
  const lost = unknown.map((run) => ({ run, result: "disagrees", faults: ["the journal has no line of this tick"] }));
  return { trouble, isMissing: false, ticks: [...ticks, ...lost] };
}

function readConfig(root) {
  const path = join(root, "relais.config.json");
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? parseJson(readFileSync(path)) : null;
}

function findWorkspace(root) {
  const config = readConfig(root);
  return typeof config?.workspace_dir === "string" ? config.workspace_dir : "relais";
}

/** Where the configuration wants the history, and where it is without one: the key may have been set in between. */
function findHistories(root, workspace) {
  const usual = join(root, workspace, "history");
  const { dir } = readConfig(root)?.history ?? {};
  return typeof dir === "string" && join(root, dir) !== usual ? [join(root, dir), usual] : [usual];
}

function listFolders(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((entry) => /^\d{8}T\d{6}Z-[0-9a-f]{8}$/u.test(entry));
}

function verifyTick(place, run, lines) {
  const foreign = lines.find(({ version }) => version !== KNOWN_VERSION);
  if (foreign !== undefined) return { run, result: "unchecked", why: `its records have version ${foreign.version}` };
  const events = lines.map(({ event }) => event);
  const course = followTick(events);
  const code = course.ended?.code ?? null;
  if (course.faults.length > 0) return { run, code, result: "disagrees", faults: course.faults };
  if (course.ended === null) return { run, code, result: "unchecked", why: "it has not ended" };
  const files = course.seen.reported?.history_files;
  if (events.some(({ type }) => type === "pruned"))
    return { run, code, result: "unchecked", why: "its folder was pruned" };
  if (files?.length === 0) return { run, code, result: "unchecked", why: "no history is kept" };
  return { run, code, ...checkFolder(place, run, { course, events }) };
}

function checkFolder(place, run, { course, events }) {
  const folders = place.histories.map((history) => join(history, run));
  const folder = folders.find((path) => existsSync(path)) ?? folders[0];
  const { history_files: files } = course.seen.reported ?? {};
  if (!existsSync(folder))
    return files === undefined
      ? { result: "unchecked", why: "it left no report" }
      : { result: "disagrees", faults: ["its folder is missing"] };
  const faults = files === undefined ? [] : checkFiles(folder, files);
  if (faults.length > 0) return { result: "disagrees", faults };
  const { faults: judged, evidence } = checkEvidence(folder, course.seen.judged);
  const kept = checkKept(place, { course, events, evidence, folder });
  const all = [...judged, ...checkReport(folder, run, course), ...kept.faults];
  if (all.length > 0) return { result: "disagrees", faults: all };
  return { result: "agrees", notes: kept.unknown === null ? [] : [kept.unknown] };
}

function checkEvidence(folder, judged) {
  if (judged === undefined) return { faults: [], evidence: null };
  const file = join(folder, "evidence.json");
  if (!existsSync(file)) return { faults: ["evidence.json is missing"], evidence: null };
  const data = readFileSync(file);
  if (sha256(data) !== judged.evidence_sha256)
    return { faults: ["evidence.json is not the judged one"], evidence: null };
  const evidence = parseJson(data);
  if (evidence === null) return { faults: ["evidence.json is not JSON"], evidence: null };
  return { faults: checkJudged(judged, evidence), evidence };
}

function checkKept(place, { course, events, evidence, folder }) {
  const accepted = events.find(({ type }) => type === "accepted");
  const commit = accepted?.commit ?? course.commit ?? null;
  const isKept = course.action === "accept" || course.action === "commit";
  const patch = isKept && evidence !== null ? checkPatch(folder, evidence) : [];
  if (commit === null) return { faults: patch, unknown: null };
  const from = accepted === undefined ? course.seen.preflight_passed?.base_commit : `${commit}^`;
  const { faults, unknown } = checkCommit(place, { from, commit, evidence: isKept ? evidence : null });
  return { faults: [...patch, ...faults], unknown };
}

// ---------------------------------------------------------------- What relais says

const AS_RELAIS = { same: "agrees", nothing_judged: "agrees", differs: "disagrees", damaged: "disagrees" };

/** The answer of `relais history replay --json`, by tick. */
export function readReplay(document) {
  return new Map(document.ticks.map(({ run_id: run, result }) => [run, AS_RELAIS[result] ?? "unchecked"]));
}

function askRelais(relais, root) {
  const command = /\.[cm]?js$/u.test(relais) ? [process.execPath, relais] : [relais];
  const [program, ...args] = [...command, "history", "replay", "--json"];
  const { stdout } = spawnSync(program, args, { cwd: root, maxBuffer: 1 << 30 });
  return parseJson(stdout ?? Buffer.alloc(0));
}

/** Ticks about which the two say different things. */
export function compareWithReplay(ticks, replay) {
  return ticks.flatMap(({ run, result }) => {
    const said = replay.get(run) ?? "unchecked";
    return said === result ? [] : [{ run, here: result, relais: said }];
  });
}

// ---------------------------------------------------------------- The command

const USAGE = `Usage: verify-history.mjs [REPOSITORY] [--journal FILE] [--relais PATH | --replay FILE] [--json]

Judges every recorded tick again, without relais. --journal reads another journal than the ledger of the
workspace; --relais compares with \`relais history replay\` of this executable, --replay with its stored --json.
Exit status 0: nothing disagrees; 10: something does; 11: no journal; 2: wrong usage.
`;

function parseArguments(args) {
  const options = { root: ".", isJson: false };
  for (let at = 0; at < args.length; at += 1) {
    const option = /^--(?<key>journal|relais|replay)$/u.exec(args[at])?.groups.key;
    if (args[at] === "--json") options.isJson = true;
    else if (option !== undefined && args[at + 1] !== undefined) options[option] = args[(at += 1)];
    else if (args[at].startsWith("-")) return null;
    else options.root = args[at];
  }
  return { ...options, root: resolve(options.root) };
}

function main(args) {
  const options = parseArguments(args);
  if (options === null) return { status: args.includes("--help") ? 0 : 2, text: USAGE };
  const answer = verifyHistory(options);
  if (answer.isMissing) return { status: 11, text: `${answer.trouble}\n` };
  const document = options.replay === undefined ? null : parseJson(readFileSync(options.replay));
  const asked = options.relais === undefined ? document : askRelais(options.relais, options.root);
  const wantsReplay = (options.relais ?? options.replay) !== undefined;
  const differences = asked === null ? [] : compareWithReplay(answer.ticks, readReplay(asked));
  const trouble = answer.trouble ?? (wantsReplay && asked === null ? "relais gave no answer" : null);
  const isBad = trouble !== null || differences.length > 0 || answer.ticks.some(({ result }) => result === "disagrees");
  const full = { agrees: !isBad, trouble, ticks: answer.ticks, ...(wantsReplay ? { differences } : {}) };
  const text = options.isJson ? `${JSON.stringify(full)}\n` : render(full);
  return { status: isBad ? 10 : 0, text };
}

function render({ trouble, ticks, differences }) {
  const lines = ticks.map(({ run, result, code, faults = [], why, notes = [] }) => {
    const word = { agrees: "agrees", disagrees: "DISAGREES", unchecked: "cannot be checked" }[result];
    const more = [...faults, ...notes, ...(why === undefined ? [] : [why])].map((one) => `    ${printable(one)}`);
    return [`${run}  ${word}  ${code ?? "no end"}`, ...more].join("\n");
  });
  const count = (wanted) => ticks.filter(({ result }) => result === wanted).length;
  const sums = `${count("agrees")} agree, ${count("disagrees")} disagree, ${count("unchecked")} cannot be checked.`;
  const chain = trouble === null ? [] : [`The journal: ${printable(trouble)}`];
  const compared = (differences ?? []).map(
    ({ run, here, relais }) => `${run}  ${here} here, ${relais} by relais history replay`,
  );
  const agreed =
    differences === undefined || differences.length > 0 ? [] : ["relais history replay says the same of every tick."];
  return `${[...lines, ...chain, ...compared, "", sums, ...agreed].join("\n")}\n`;
}

/** Names in a history are not trusted. */
const printable = (text) => text.replace(/[\p{Cc}\p{Cf}\u{2028}\u{2029}]/gu, "\u{fffd}");

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { status, text } = main(process.argv.slice(2));
  process.stdout.write(text);
  process.exitCode = status;
}
