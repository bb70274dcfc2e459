import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDocument } from "../../src/base/strict-json.ts";

const parse = (text: string) => parseDocument(new TextEncoder().encode(text));

test("an object is read as the parser reads it", () => {
  const name = fc.string().filter((key) => !["__proto__", "constructor", "prototype"].includes(key));
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()));
  const object = fc.dictionary(name, fc.oneof(value, fc.dictionary(name, value)), { noNullPrototype: true });
  fc.assert(
    fc.property(object, fc.constantFrom(0, 2), fc.constantFrom("", "\ufeff", " \n"), (given, indent, before) => {
      expect(parse(`${before}${JSON.stringify(given, null, indent)}\n`)).toEqual({
        kind: "document",
        value: given,
      });
    }),
  );
});

test("a key that occurs twice is refused at any depth, however it is spelled", () => {
  const path = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 5 });
  fc.assert(
    fc.property(path, fc.constantFrom('"x"', String.raw`"\u0078"`), (keys, second) => {
      const inner = `{"x": 1, "y": {"x": 2}, ${second}: 3}`;
      const text = keys.reduce((document, key) => `{"${key}": [${document}]}`, inner);
      expect(parse(text)).toEqual({ kind: "broken", problem: 'cannot be used: the key "x" occurs twice' });
    }),
  );
});

test.each([
  ["", "cannot be used: it is empty"],
  ["{", "is not JSON: "],
  ['{"a": 1,}', "is not JSON: "],
  ["[]", "is not JSON: it does not begin with the object"],
  ["{} {}", "is not JSON: "],
  ["```json\n{}\n```", "is not JSON: it is wrapped in a code fence"],
])("%j is refused with a reason", (text, problem) => {
  expect(parse(text)).toEqual({ kind: "broken", problem: expect.stringContaining(problem) });
});

test("bytes that are no text are refused", () => {
  const problem = "cannot be used: it is not valid UTF-8";
  expect(parseDocument(Uint8Array.of(0x7b, 0xff, 0x7d))).toEqual({ kind: "broken", problem });
});
