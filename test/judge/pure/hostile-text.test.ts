/** Whatever the text is, the rules answer, soon, and blank nothing but what they should. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scanSource } from "../../../src/base/scan-source.ts";
import { runs } from "../../support/runs.ts";
import { weakened } from "../../support/weakening.ts";

const PATHS = [
  "src/a.ts",
  "a.py",
  "a.go",
  "src/a.rs",
  "a.rb",
  "A.java",
  "a.sh",
  "package.json",
  ".eslintignore",
  "test/a.test.js",
];

/** Pieces that begin or end something in one of the languages. */
const pieces = fc.constantFrom(
  ..."\"|'|`|${|}|{|/*|*/|//|#|\\|\n|\"\"\"|'''|/[|]/|=|(|)|catch|except:|env|skip:| |\t|\u2028|\0|\ud800|é".split("|"),
  "import time as t\n",
  "ignore = [",
  "process.env.",
  "require(",
  "it.skip(",
);
const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.array(pieces, { maxLength: 60 }).map((all) => all.join("")),
);

test("no text makes the rules fail, and lines are those of the text", () => {
  fc.assert(
    fc.property(fc.constantFrom(...PATHS), texts, texts, (path, before, after) => {
      const lines = after.split("\n").length;
      for (const { line } of weakened({ [path]: before }, { [path]: after })) {
        expect(line).toBeGreaterThan(0);
        expect(line).toBeLessThanOrEqual(lines);
      }
    }),
    runs(2000),
  );
});

test("code and comments have the length and the lines of the text", () => {
  const languages = fc.constantFrom("js", "ts", "python", "go", "rust", "c", "ruby", "shell", "settings");
  fc.assert(
    fc.property(languages, texts, (language, text) => {
      const { code, comments } = scanSource(text, language);
      for (const part of [code, comments]) {
        expect(part).toHaveLength(text.length);
        expect(part.split("\n").map((line) => line.length)).toEqual(text.split("\n").map((line) => line.length));
      }
    }),
    runs(2000),
  );
});

/** Texts on which a careless expression takes time with the square of their length. */
const SLOW = [
  "catch ",
  "rescue\n",
  "=/[",
  "env ",
  "'",
  '"',
  "`${",
  "/*",
  "ignore = [",
  "a = ",
  "def __eq__(",
  "{ skip",
  "except ",
  "\n",
  "ignore:\n ",
  "if x == 1: return 2\n",
  "|| ",
  "it.skip(",
  "test(a, { skip: 1, ",
  "@Test ",
  "[Fact(Skip = 1)]\n",
  "def test_a(): pass # skip\n",
  "<<A\n",
  'r#"',
];

describe("a long text of one piece", () => {
  test.each(SLOW)("%j", (piece) => {
    const text = piece.repeat(Math.ceil(8000 / piece.length));
    const count = (content: string) => PATHS.map((path) => weakened({}, { [path]: content }).length);
    expect(count(text)).toHaveLength(PATHS.length);
    // With lines that are short enough to be read.
    const lines = text.replaceAll(/[^\n]{4000}/gu, (line) => `${line}\n`);
    expect(count(lines)).toHaveLength(PATHS.length);
  });
});
