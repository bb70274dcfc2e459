import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import { parseWith } from "../../src/base/schema-error.ts";
import { DOCUMENTS } from "../support/documents.ts";
import { placesOf, replaced, valueAt } from "../support/mutations.ts";
import { runs } from "../support/runs.ts";

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
/** Objects whose keys are data: what a parameter or a section is called is up to the writer. */
const OPEN_OBJECTS = new Set(["params", "prompt_bytes", "prompt_sha256"]);

const documents = Object.entries(DOCUMENTS).flatMap(([name, { schema, good }]) =>
  good.map((document, index) => ({ name: `${name} ${index}`, schema, document })),
);

const pathText = (place: readonly (string | number)[]) =>
  place.map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${key}`)).join("");

test.each(documents)("$name: an unknown key is refused and named wherever it stands", ({ schema, document }) => {
  const places = placesOf(document).filter(
    (place) => isObject(valueAt(document, place)) && !place.some((key) => OPEN_OBJECTS.has(String(key))),
  );
  for (const place of places) {
    const where = pathText([...place, "qqqqqqqqqqqqqqqqqqqqqqqq"]);
    const parsed = parseWith(schema, replaced(document, [...place, "qqqqqqqqqqqqqqqqqqqqqqqq"], 1));
    const problems = parsed.kind === "valid" ? [] : parsed.problems;
    expect(problems.map(({ path, hint }) => ({ path, hint }))).toEqual([{ path: where, hint: null }]);
    expect(problems[0]?.message).toContain(`unknown key \`${where}\``);
  }
});

test.each(documents)("$name: a misspelled key leads back to the right one", ({ schema, document }) => {
  const places = placesOf(document).filter(
    (place) => typeof place.at(-1) === "string" && !place.some((key) => OPEN_OBJECTS.has(String(key))),
  );
  for (const place of places) {
    const key = String(place.at(-1));
    const misspelled = [...place.slice(0, -1), `${key}x`];
    const parsed = parseWith(schema, replaced(replaced(document, place, undefined), misspelled, 1));
    const problem =
      parsed.kind === "valid" ? undefined : parsed.problems.find(({ path }) => path === pathText(misspelled));
    // A missing discriminator leaves open which keys are known.
    if (["type", "task_kind", "mode"].includes(key)) continue;
    expect(problem).toMatchObject({
      hint: key,
      message: expect.stringContaining(`did you mean \`${key}\`?`),
    });
  }
});

test.each(documents)("$name: what is read can be written and read again", ({ schema, document }) => {
  const once = parseWith(schema, document);
  expect(once.kind).toBe("valid");
  const text: unknown = JSON.parse(JSON.stringify(once.kind === "valid" ? once.value : null));
  expect(parseWith(schema, text)).toEqual(once);
});

test("a configuration that leaves out any of its keys is whole again once it is read, and stays the same", () => {
  const { schema, good } = DOCUMENTS["config"] ?? { schema: v.any(), good: [] };
  const full = good[1];
  const places = placesOf(full).filter(
    (place) => typeof place.at(-1) === "string" && place.every((key) => typeof key === "string"),
  );
  fc.assert(
    fc.property(fc.subarray([...places]), (removed) => {
      const partial = removed.reduce<unknown>((document, place) => replaced(document, place, undefined), full);
      const once = parseWith(schema, partial);
      if (once.kind === "invalid") throw new Error(JSON.stringify(once.problems));
      expect(parseWith(schema, once.value)).toEqual(once);
    }),
  );
});

test("no value can bring the wording down, and every problem is complete", () => {
  const { schema, good } = DOCUMENTS["task"] ?? { schema: v.any(), good: [] };
  const places = placesOf(good[0]);
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.jsonValue(), (place, value) => {
      const parsed = parseWith(schema, replaced(good[0], place, value));
      if (parsed.kind === "valid") return;
      expect(parsed.problems.length).toBeGreaterThan(0);
      for (const { path, found, expected, message } of parsed.problems) {
        expect(found).not.toBe("");
        expect(expected).not.toBe("");
        expect(message).toContain(path);
        expect(message).not.toMatch(/invalid|undefined|\[object/i);
      }
    }),
    runs(500),
  );
});

const Sample = v.strictObject({
  name: v.exactOptional(v.nullable(v.string())),
  size: v.exactOptional(v.union([v.literal("all"), v.pipe(v.number(), v.minValue(1))])),
  shape: v.exactOptional(v.union([v.strictObject({ side: v.number() }), v.string()])),
  notes: v.exactOptional(v.record(v.pipe(v.string(), v.regex(/^[a-z]+$/)), v.string())),
});

test.each<[unknown, string]>([
  [{ name: 1 }, "`name` is the number 1, expected a text or null"],
  [{ name: true }, "`name` is true, expected a text or null"],
  [{ size: "any" }, '`size` is the text "any", expected "all" or a number'],
  [{ size: 0 }, "`size` is the number 0, expected at least 1"],
  [{ shape: { side: "x" } }, '`shape.side` is the text "x", expected a number'],
  [{ shape: { side: 1, sied: 2 } }, "unknown key `shape.sied`, did you mean `side`?"],
  [{ shape: 3 }, "`shape` is the number 3, expected an object or a text"],
  [{ notes: { A1: "x" } }, '`notes.A1` is the text "A1", expected text that matches /^[a-z]+$/'],
  [{ notes: [] }, "`notes` is a list, expected an object"],
  [{ "a b": 1 }, 'unknown key `["a b"]`, expected one of `name`, `size`, `shape`, `notes`'],
  [{ "\u001b[2J\u202e": 1 }, 'unknown key `["\\u001b[2J\\u202e"]`, expected one of `name`, `size`, `shape`, `notes`'],
  [{ name: ["\u009b"] }, "`name` is a list of 1 entry, expected a text or null"],
  [{ size: "\u001b\u009b" }, '`size` is the text "\\u001b\\u009b", expected "all" or a number'],
  [
    { size: "y".repeat(100) },
    `\`size\` is the text "${"y".repeat(60)}…" of 100 characters, expected "all" or a number`,
  ],
  [JSON.parse('{"__proto__": 1}'), "unknown key `__proto__`, expected one of `name`, `size`, `shape`, `notes`"],
])("%j is said plainly", (value, message) => {
  const parsed = parseWith(Sample, value);
  expect(parsed.kind === "valid" ? [] : parsed.problems.map((problem) => problem.message)).toEqual([message]);
});

test("every unknown key of an object is named, not only the first", () => {
  const parsed = parseWith(Sample, { nmae: 1, sise: 2, name: 3 });
  expect(parsed).toMatchObject({
    kind: "invalid",
    problems: [
      { path: "nmae", found: "an unknown key", hint: "name" },
      { path: "sise", hint: "size" },
      { path: "name", found: "the number 3", expected: "a text or null", hint: null },
    ],
  });
});
