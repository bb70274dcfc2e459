import fc from "fast-check";
import { expect, test } from "vitest";
import { extractJson, extractAnswer } from "../../src/base/strict-json.ts";
import { readBuilderResult } from "../../src/workflows/pure/workflow.ts";
import { runs } from "../support/runs.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const extract = (text: string) => extractJson(bytes(text));
const causeOf = (text: string): string => {
  const answer = extract(text);
  return answer.kind === "refused" ? answer.cause : "object";
};

test.each([
  ["an object", '{"a":1}'],
  ["space around it", ' \r\n\t{"a":1}\n\n'],
  ["a fence", '```json\n{"a":1}\n```'],
  ["a fence without a language", '```\n{"a":1}\n```\n'],
  ["a longer fence with tildes", '\n~~~~ json\r\n{"a":1}\r\n~~~~'],
  ["a byte order mark", '\uFEFF{"a":1}'],
])("%s is taken", (_, text) => {
  expect(extract(text)).toEqual({ kind: "object", value: { a: 1 } });
});

test.each([
  ["nothing", "", "empty"],
  ["only space", " \n", "empty"],
  ["an empty fence", "```json\n```", "empty"],
  ["a list", "[1]", "not_json"],
  ["a text", '"a"', "not_json"],
  ["a number", "1", "not_json"],
  ["words before", 'Here it is: {"a":1}', "not_json"],
  ["words after", '{"a":1} Done.', "not_json"],
  ["two objects", '{"a":1}{"a":2}', "not_json"],
  ["two fences", '```\n{"a":1}\n```\n```\n{"a":2}\n```', "not_json"],
  ["words before a fence", 'So:\n```\n{"a":1}\n```', "not_json"],
  ["a fence that is not closed", '```\n{"a":1}', "not_json"],
  ["a fence closed by another one", '````\n{"a":1}\n```', "not_json"],
  ["a fence in a fence", '````\n```\n{"a":1}\n```\n````', "not_json"],
  ["a comment", '{"a":1 /* b */}', "not_json"],
  ["a comma too many", '{"a":1,}', "not_json"],
  ["half an object", '{"a":', "not_json"],
  ["half a text", '{"a', "not_json"],
  ["another space", '\u00A0{"a":1}', "not_json"],
  ["brackets that do not match", '{"a":[}]', "not_json"],
  ["a key twice", '{"a":1,"a":1}', "duplicate_key"],
  ["a key twice, spelled in two ways", '{"a":1,"\\u0061":2}', "duplicate_key"],
  ["a key twice, deep inside", '{"a":[{"b":{"c":1,"d":[],"c":2}}]}', "duplicate_key"],
  ["an empty key twice", '{"":1,"":2}', "duplicate_key"],
  ["a way to the prototype", '{"__proto__":{}}', "unsafe_key"],
  ["the same, escaped and deep inside", '{"a":[[{"\\u005f_proto__":1}]]}', "unsafe_key"],
  ["a constructor", '{"a":{"constructor":1}}', "unsafe_key"],
  ["a prototype", '{"prototype":1}', "unsafe_key"],
])("%s is refused", (_, text, cause) => {
  expect(causeOf(text)).toBe(cause);
});

test("the same key in different objects and the same text as key and value are fine", () => {
  expect(causeOf('{"a":{"a":"a"},"b":[{"a":"b"},{"a":"__proto__"},"a","a"]}')).toBe("object");
});

test("invalid UTF-8 is refused wherever it stands", () => {
  for (const bad of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
    const data = new Uint8Array([...bytes('{"a":"'), ...bad, ...bytes('"}')]);
    expect(extractJson(data)).toMatchObject({ kind: "refused", cause: "not_utf8" });
  }
});

test("the caps hold to the byte and to the level", () => {
  const text = '{"a":[[1]]}';
  const limits = { bytesMax: text.length, depthMax: 3 };
  expect(extractJson(bytes(text), limits).kind).toBe("object");
  expect(extractJson(bytes(`${text} `), limits)).toMatchObject({ cause: "too_large" });
  expect(extractJson(bytes(text), { ...limits, depthMax: 2 })).toMatchObject({ cause: "too_deep" });
});

const object = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 4 }));
const isSafe = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return true;
  const unsafe = ["__proto__", "constructor", "prototype"];
  return Object.entries(value).every(([key, inner]) => !unsafe.includes(key) && isSafe(inner));
};

test("what the parser makes of an object is what is extracted, in every layout", () => {
  const layout = fc.record({ indent: fc.nat(4), fence: fc.constantFrom("", "```", "~~~~") });
  fc.assert(
    fc.property(object, layout, (value, { indent, fence }) => {
      fc.pre(isSafe(value));
      const json = JSON.stringify(value, null, indent);
      const text = fence === "" ? json : `${fence}json\n${json}\n${fence}`;
      expect(extract(text)).toEqual({ kind: "object", value: JSON.parse(json) });
    }),
  );
});

function parsedObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

test("nothing is extracted that the parser reads otherwise or refuses", () => {
  const edit = fc.record({
    at: fc.nat(),
    drop: fc.nat(3),
    insert: fc.constantFrom("", '"', "{", "}", ",", "\\", "[", "x"),
  });
  fc.assert(
    fc.property(object, fc.array(edit, { maxLength: 4 }), (value, edits) => {
      let text = JSON.stringify(value);
      for (const { at, drop, insert } of edits) {
        const place = at % (text.length + 1);
        text = text.slice(0, place) + insert + text.slice(place + drop);
      }
      const answer = extract(text);
      const read = answer.kind === "object" ? answer.value : answer.cause;
      const expected = parsedObject(new TextDecoder().decode(bytes(text)));
      const possible = expected === null ? ["not_json", "empty"] : [expected, "duplicate_key", "unsafe_key"];
      expect(possible).toContainEqual(read);
    }),
    runs(500),
  );
});

/** Objects as lists of entries, so that keys may repeat. */
type Model = readonly (readonly [key: string, value: Model | number])[];
const { model } = fc.letrec<{ model: Model; value: Model | number }>((tie) => ({
  model: fc.array(fc.tuple(fc.constantFrom("a", "b", "\u0000", "é", "constructor "), tie("value")), {
    maxLength: 4,
  }),
  value: fc.oneof({ maxDepth: 4 }, fc.nat(9), tie("model")),
}));

const escaped = (key: string): string =>
  `"${key
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")}"`;

const written = (entries: Model): string =>
  `{${entries
    .map(([key, value], index) => {
      const name = index % 2 === 0 ? JSON.stringify(key) : escaped(key);
      return `${name}:${typeof value === "number" ? value : `[${written(value)},"a"]`}`;
    })
    .join(",")}}`;

const repeats = (entries: Model): boolean =>
  new Set(entries.map(([key]) => key)).size < entries.length ||
  entries.some(([, value]) => typeof value !== "number" && repeats(value));

test("a key that is repeated anywhere is found, and only then", () => {
  fc.assert(
    fc.property(model, (entries) => {
      expect(causeOf(written(entries))).toBe(repeats(entries) ? "duplicate_key" : "object");
    }),
    runs(500),
  );
});

test("any bytes get an answer", () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .array(fc.constantFrom(...'{}[]",:\\`~\n a1'.split("")), { maxLength: 200 })
      .map((parts) => bytes(parts.join(""))),
  );
  fc.assert(
    fc.property(noise, (data) => {
      expect(["object", "refused"]).toContain(extractJson(data).kind);
    }),
    runs(1000),
  );
});

/** Each would take minutes if anything in it were quadratic, and the test would run into its limit. */
test.each([
  ["spaces and a letter", `${" ".repeat(1_000_000)}x`],
  ["spaces after a fence", `\`\`\`${" ".repeat(1_000_000)}x`],
  ["backticks", "`".repeat(1_000_000)],
  ["opening braces", '{"a":'.repeat(200_000)],
  ["opening brackets", `{"a":${"[".repeat(1_000_000)}`],
  ["quotes", `{${'"'.repeat(1_000_000)}`],
  ["backslashes", `{"${"\\".repeat(1_000_000)}`],
  ["newlines", `{${"\n".repeat(1_000_000)}`],
  ["many keys", `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(",")},"k0":1}`],
])("a megabyte of %s is refused in bounded time", (_, text) => {
  expect(extract(text).kind).toBe("refused");
});

test("a builder's result is read, or refused with a cause of its own", () => {
  const result = { summary: "done", files_intended: ["a"], commands_ran: [], notes: [] };
  const read = { ...result, outcome: "done", evidence: "" };
  expect(readBuilderResult(bytes(JSON.stringify(result)))).toEqual({ kind: "valid", result: read });
  expect(readBuilderResult(bytes("{"))).toMatchObject({ kind: "invalid", cause: "result_not_json" });
  expect(readBuilderResult(bytes('{"summary":"a","sumary":"b"}'))).toMatchObject({
    kind: "invalid",
    cause: "result_invalid",
    message: expect.stringContaining("did you mean `summary`?"),
  });
});

test.each([
  ['{"result":{"a":1}}', { a: 1 }],
  ['{"result":"{\\"a\\":1}"}', { a: 1 }],
  ['{"result":{"result":1}}', { result: 1 }],
  ['{"result":3}', { result: 3 }],
  ['{"result":{"a":1},"b":2}', { result: { a: 1 }, b: 2 }],
])("an answer is taken out of a bare wrapper: %s", (text, value) => {
  expect(extractAnswer(bytes(text))).toEqual({ kind: "object", value });
});

test("what is in a wrapper is read as strictly as without one", () => {
  expect(extractAnswer(bytes('{"result":"no object"}'))).toMatchObject({ cause: "not_json" });
  expect(extractAnswer(bytes('{"result":"{\\"a\\":1,\\"a\\":2}"}'))).toMatchObject({
    cause: "duplicate_key",
  });
});
