import { SourceMap } from "node:module";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { escapeText, makeColumnShift } from "../../scripts/escape-text.mjs";
import { thinSourceMap } from "../../scripts/thin-source-map.mjs";

test("escaped text means the same, in strings, templates and expressions", () => {
  const code = "[`✓ ${1}`, '日本 😀', /^[✗…]😀$/u.test('…😀')]";
  const escaped = escapeText(code);
  expect(/^[\0-\x7f]*$/.test(escaped)).toBe(true);
  expect(runInNewContext(escaped)).toEqual(runInNewContext(code));
});

test("a map of the text before leads from the escaped text to the same lines", () => {
  const code = '"✓✓";one();"…";two()';
  // The columns 5 and 15 come from the lines 1 and 2 of a source.
  const mappings = "KACA,UACA";
  const thin = thinSourceMap({ version: 3, sources: ["a.ts"], mappings }, makeColumnShift(code));
  const map = new SourceMap({ file: "", sourceRoot: "", sourcesContent: [], names: [], ...thin, sources: ["a.ts"] });
  const shipped = escapeText(code);
  const lineOf = (text: string): unknown => map.findEntry(0, shipped.indexOf(text));
  expect([lineOf("one("), lineOf("two(")]).toMatchObject([{ originalLine: 1 }, { originalLine: 2 }]);
});
