import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configKeys } from "../../scripts/config-keys.ts";
import { configPage } from "../../scripts/config-page.ts";

const schema: unknown = JSON.parse(readFileSync("schemas/config.schema.json", "utf8"));

test("every key of the configuration has a meaning", () => {
  const keys = configKeys(schema);
  expect(keys.length).toBeGreaterThan(150);
  expect(keys.filter(({ meaning }) => meaning === null).map(({ name }) => name)).toEqual([]);
  expect(keys.filter(({ meaning }) => !/^[A-Z].*\.$/.test(meaning ?? ""))).toEqual([]);
});

const SMALL = {
  properties: {
    depth: { type: "integer", minimum: 1, maximum: 9, default: 3, description: "How deep." },
    wait: { anyOf: [{ type: "number", exclusiveMinimum: 0 }, { type: "null" }], default: null },
    names: { type: "array", maxItems: 4, items: { type: "string" }, default: ["a|b", "c`d", "e", "f"] },
    sides: {
      properties: {
        left: { properties: { on: { type: "boolean", default: true } } },
        right: { properties: { on: { type: "boolean", default: true } } },
      },
    },
  },
};
const block = (names: string) => `<!-- keys: ${names} -->\nold\n<!-- /keys -->`;

test("a table has what a key takes, its default and its meaning, and what was there goes", () => {
  const page = configPage(`# A\n\n${block("depth wait")}\n\nwords\n\n${block("names sides.<side>")}\n`, SMALL);
  expect(page).toBe(
    [
      "# A",
      "",
      "<!-- keys: depth wait -->",
      "",
      "| key | takes | default | meaning |",
      "| --- | --- | --- | --- |",
      "| `depth` | whole number, 1 to 9 | `3` | How deep. |",
      "| `wait` | number, more than 0 or null | `null` |  |",
      "",
      "<!-- /keys -->",
      "",
      "words",
      "",
      "<!-- keys: names sides.<side> -->",
      "",
      "| key | takes | default | meaning |",
      "| --- | --- | --- | --- |",
      "| `names` | list of texts, up to 4 | 4, below |  |",
      "| `sides.<side>.on` | true or false | `true` |  |",
      "",
      "The default of `names`: `a|b`, `` c`d ``, `e`, `f`.",
      "",
      "<!-- /keys -->",
      "",
    ].join("\n"),
  );
  expect(configPage(page, SMALL)).toBe(page);
});

test("a key that the page leaves out, tells twice or makes up is an error", () => {
  const all = "depth wait names sides";
  expect(() => configPage(block("depth wait names sides.left"), SMALL)).toThrow(/exactly once: sides\.right\.on$/);
  expect(() => configPage(block(`${all} depth`), SMALL)).toThrow(/exactly once: depth$/);
  expect(() => configPage(block(`${all} breadth`), SMALL)).toThrow(/there is no key breadth$/);
  const uneven = {
    properties: {
      sides: {
        properties: { ...SMALL.properties.sides.properties, up: { properties: { on: { type: "null" } } } },
      },
    },
  };
  expect(() => configPage(block("sides.<side>"), uneven)).toThrow(/sides\.up\.on is not like its siblings$/);
});
