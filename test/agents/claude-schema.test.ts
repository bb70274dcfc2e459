import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { adaptClaudeSchema } from "../../src/agents/claude-arguments.ts";

/** What makes the program drop a whole schema without a word, each found with the real one. */
const DROPPED = /^(?:\$schema|format|prefixItems|unevaluated\w+|dependent\w+|x-.*|\$comment|\$id)$/;
/** Below these, names are chosen by somebody and are no keywords. */
const NAMED = ["properties", "patternProperties", "$defs", "definitions"];

function keywordsOf(value: unknown, isNames = false): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => keywordsOf(one));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(isNames ? [] : [key]),
    ...keywordsOf(inner, !isNames && NAMED.includes(key)),
  ]);
}

function shipped(name: string): object {
  const text = readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8");
  const schema: unknown = JSON.parse(text);
  if (typeof schema !== "object" || schema === null) throw new Error("no schema");
  return schema;
}

test.each([
  ["task", true],
  ["builder_result", false],
  ["review_decision", true],
])("the schema %s is handed on without a word that would drop it", (name, isEnveloped) => {
  const derived = adaptClaudeSchema(shipped(name));
  expect(derived?.isEnveloped).toBe(isEnveloped);
  const keywords = keywordsOf(derived?.schema);
  expect(keywords.length).toBeGreaterThan(10);
  expect(keywords.filter((keyword) => DROPPED.test(keyword))).toEqual([]);
  expect(keywordsOf(shipped(name)).some((keyword) => DROPPED.test(keyword))).toBe(true);
});

test("at the top there is a plain object, whatever was asked for", () => {
  const choice = {
    oneOf: [{ type: "object", title: "a" }, { $ref: "#/$defs/b" }],
    $defs: { b: { type: "string" } },
  };
  expect(adaptClaudeSchema(choice)).toEqual({
    isEnveloped: true,
    schema: {
      type: "object",
      properties: { answer: { oneOf: choice.oneOf } },
      required: ["answer"],
      additionalProperties: false,
      $defs: choice.$defs,
    },
  });
  expect(adaptClaudeSchema({ type: "string" })).toMatchObject({ isEnveloped: true });
});

test("names that somebody chose are no keywords, and what is nested is cleaned too", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      format: { type: "string", format: "email", "x-note": 1 },
      list: { type: "array", prefixItems: [{ type: "string" }], items: false },
      any: true,
    },
    patternProperties: { "^x-": { anyOf: [{ const: 1, $comment: "c" }, false] } },
    additionalProperties: false,
  };
  expect(adaptClaudeSchema(schema)).toEqual({
    isEnveloped: false,
    schema: {
      type: "object",
      properties: { format: { type: "string" }, list: { type: "array" }, any: true },
      patternProperties: { "^x-": { anyOf: [{ const: 1 }, false] } },
      additionalProperties: false,
    },
  });
});

test.each(["#", "#/properties/a", "https://example.org/schema", 7])("a reference to %j cannot be said", ($ref) => {
  expect(adaptClaudeSchema({ type: "object", properties: { a: { $ref } } })).toBeNull();
});
