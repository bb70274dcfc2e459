import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { FuzzTarget } from "../target.ts";
import { makeHighlighter } from "../../../src/page/browser/highlight.ts";
import { weakened } from "../../../test/support/weakening.ts";

const PATHS = [
  "src/a.ts",
  "src/a.py",
  "src/a_test.go",
  "src/lib.rs",
  "test/a.test.js",
  "package.json",
  "setup.cfg",
  "A.java",
  "a.rb",
  "a.sh",
];
const EXAMPLES = [
  "// eslint-disable-next-line no-console\nexport const add = (a: number, b = `x${1}`): number => a + b; /* c */\n",
  'test.skip("a", () => { expect(add(1, 2)).toBe(3); });\nif (input === "abc") return 42;\n',
  "import sys\n@pytest.mark.skip\ndef test_a():  # noqa\n    '''doc'''\n    assert add(1, 2) == 3  # type: ignore\n    sys.exit(0)\n",
  'func TestA(t *testing.T) { t.Skip(`raw`); os.Exit(0) }\n#[ignore]\nfn a() { let s = r#"x"#; }\n',
  '{"scripts":{"test":"vitest || true"},"jest":{"coverageThreshold":{"global":{"lines":80}}}}\n',
];

/** Source texts, which rules read without a compiler: the patterns must end, and no text may be lost. */
export const sourceTexts: FuzzTarget = {
  name: "source-texts",
  seeds: () => [
    ...PATHS.flatMap((_, at) => EXAMPLES.map((text) => Buffer.from(`${String.fromCharCode(48 + at)}${text}`))),
    Buffer.from(`0${readFileSync("lab/fuzz/shrink.ts", "utf8")}`),
  ],
  words: [
    "/*",
    "*/",
    "//",
    "'''",
    '"""',
    "`${",
    "}`",
    'r#"',
    "#if",
    "<!--",
    "=~ /",
    "xit(",
    "todo!",
    "process.exit(0)",
    "\\\n",
  ],
  check: (data) => {
    const path = PATHS[((data[0] ?? 0) + PATHS.length - 8) % PATHS.length] ?? "src/a.ts";
    const text = data.toString("utf8", 1);
    const half = text.slice(0, text.length / 2);
    for (const { line } of weakened({ [path]: half, "test/b.test.ts": half }, { [path]: text, "test/b.test.ts": half }))
      assert(line >= 1 && line <= text.split("\n").length + 1);
    const colour = makeHighlighter(path);
    for (const line of text.split("\n"))
      assert.equal(
        colour(line)
          .map((token) => token.text)
          .join(""),
        line,
      );
  },
};
