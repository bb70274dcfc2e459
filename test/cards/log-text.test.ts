import { describe, expect, test } from "vitest";
import type { LoggedEntry, LoggedSession, TranscriptEntry, UsedTool } from "../../src/records/transcript-entry.ts";
import { createLogWriter } from "../../src/cards/log-text.ts";
import { measureDisplayWidth } from "../../src/base/wrap-text.ts";
import { colouredStyle, plainStyle } from "../../src/base/style.ts";

const session = (name: string, driver: string | null): LoggedSession => ({
  name,
  driver,
  startedAt: "2026-03-01T12:00:05.000Z",
});
const BUILDER = session("builder", "claude_code");
const RISK = session("reviewer risk", "codex");

const used = (over: Partial<UsedTool>): UsedTool => ({
  type: "used",
  tool: "Read",
  kind: "read",
  target: "src/x.ts",
  status: "ok",
  exit: null,
  output: "",
  ...over,
});
const linesOf = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}`).join("\n");

const of = (own: LoggedSession, ...entries: readonly TranscriptEntry[]): readonly LoggedEntry[] =>
  entries.map((entry) => ({ session: own, entry }));

const LOG: readonly LoggedEntry[] = [
  ...of(
    BUILDER,
    { type: "thought", text: "The greeting is in src/x.ts, so I look there before anything else is done." },
    { type: "said", text: "I look at the greeting first.\nThen the tests." },
    used({ output: linesOf(42) }),
    used({ tool: "Edit", kind: "write", output: "updated" }),
    used({ tool: "Write", kind: "write", target: ".env", status: "denied" }),
    used({
      tool: "Bash",
      kind: "command",
      target: "npm test\necho done",
      status: "failed",
      exit: 1,
      output: linesOf(46),
    }),
    used({
      tool: "Bash",
      kind: "command",
      target: `echo ${"very ".repeat(40)}long`,
      output: "\u001B[32mgreen\u001B[0m",
    }),
    { type: "note", text: "retry 2: 529 overloaded" },
    { type: "said", text: '{"summary":"The greeting is fixed.","notes":[]}' },
    { type: "ended", isGood: true, text: "done: The greeting is fixed." },
  ),
  ...of(session("checks", null), used({ tool: "test", kind: "command", target: "npm test", exit: 0 })),
  ...of(
    RISK,
    { type: "said", text: "\u001B[2JI am harmless\u202E." },
    { type: "ended", isGood: false, text: "vote: refuse\nIt is not tested." },
  ),
];

const render = (columns: number, over: object = {}): string =>
  createLogWriter({ style: plainStyle, columns, isFull: false, grep: null, ...over })(LOG);

describe.each([60, 80, 120])("at %i columns", (columns) => {
  test("it is folded and fits", () => {
    const text = render(columns);
    expect(text).toMatchSnapshot();
    expect(text.split("\n").filter((line) => measureDisplayWidth(line) > columns)).toEqual([]);
  });
});

test("--full shows every line", () => {
  const text = render(80, { isFull: true });
  expect(text).not.toContain("more line");
  for (const part of ["│ line 0\n", "│ line 45\n", "echo done", '"summary":"The greeting'])
    expect(text).toContain(part);
});

test("--grep shows the entries and lines with a text, under their headings", () => {
  expect(render(80, { grep: "LINE 4" })).toMatchInlineSnapshot(`
    "── builder · Claude Code · 12:00:05 UTC ────────────────────────────────────────
      read   src/x.ts  42 lines
             │ line 4
             │ line 40
             │ line 41
    ✗ run    npm test …  exit 1
             │ line 4
             │ line 40
             │ line 41
             │ line 42
             │ line 43
             │ line 44
             │ line 45
    "
  `);
  expect(render(80, { grep: "nowhere" })).toBe("");
});

test("nothing of an agent reaches the terminal as a sequence", () => {
  const text = render(80, { style: colouredStyle, isFull: true });
  const ours = ["1", "2", "22", "31", "32", "39"].map((code) => `\u001B[${code}m`);
  const rest = ours.reduce((left, sequence) => left.replaceAll(sequence, ""), text);
  expect(rest).not.toContain("\u001B");
  expect(rest).toContain("I am harmless\\u{202e}.");
});

test("entries one by one look the same as all at once, but for plain output", () => {
  const write = createLogWriter({ style: plainStyle, columns: 80, isFull: false, grep: null });
  expect(LOG.map((entry) => write([entry])).join("")).toBe(render(80));
});

test("plain output is shown as it came, and folded where it is long", () => {
  const plain = session("builder", "command");
  const entries = of(
    plain,
    ...Array.from({ length: 100 }, (_, index): TranscriptEntry => ({ type: "output", text: `${index}` })),
  );
  const text = createLogWriter({ style: plainStyle, columns: 80, isFull: false, grep: null })(entries);
  expect(text.split("\n").slice(1, 4)).toEqual(["… 70 more lines", "70", "71"]);
});
