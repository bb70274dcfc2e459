import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import { type Parsed, parseWith } from "../../src/base/schema-error.ts";
import { parseDocument } from "../../src/base/strict-json.ts";
import { readBuilderResult } from "../../src/workflows/pure/workflow.ts";
import { hostileJson } from "../../test/support/arbitrary-bytes.ts";
import { DOCUMENTS } from "../../test/support/documents.ts";
import { fuzz } from "../../test/support/fuzz.ts";
import { PROPERTY_TIMEOUT_MS } from "../../test/support/runs.ts";
import { accepts } from "../../test/support/json-schema.ts";
import { placesOf, replaced, valueAt } from "../../test/support/mutations.ts";

const kinds = Object.entries(DOCUMENTS).map(([name, { schema, good }]) => {
  const json: unknown = JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8"));
  return { name, schema, good, json };
});

/** Rules that no JSON Schema can express. */
const CODE_ONLY = /not declared|is not in args|does not compile|same id|number of reviewers|never be reached/;

/** What the platform makes of the bytes; undefined where they are no JSON in UTF-8. */
function oracle(data: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(data));
  } catch {
    return undefined;
  }
}

/** As it would be read from a file: a zero has lost its sign there, and what is no number of JSON has become null. */
function written(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function read(data: Buffer, parse: (value: unknown) => Parsed<unknown>): Parsed<unknown> | null {
  const document = parseDocument(data);
  if (document.kind === "broken") return null;
  assert.deepEqual(document.value, oracle(data));
  return parse(document.value);
}

/** Accepted is what the schema accepts, and reading it again changes nothing. */
function checkDocument(data: Buffer, { schema, json }: (typeof kinds)[number]): void {
  const parse = (value: unknown) => parseWith(schema, value);
  const parsed = read(data, parse);
  if (parsed === null) return;
  if (parsed.kind === "valid") {
    assert(accepts(json, oracle(data)));
    assert.deepEqual(parse(written(parsed.value)), written(parsed));
    return;
  }
  assert(parsed.problems.length > 0);
  const isCodeOnly = parsed.problems.some(({ message }) => CODE_ONLY.test(message));
  assert(isCodeOnly || !accepts(json, oracle(data)));
}

test.each(kinds)(
  "$name: any bytes are refused or read as the schema says",
  async (kind) => {
    const check = (data: Buffer) => checkDocument(data, kind);
    expect(await fuzz({ parser: "documents", bytes: hostileJson(kind.good), runs: 150, check })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);

test.each(kinds)("$name: a number that is too large for any machine is refused everywhere", ({ schema, good }) => {
  for (const document of good) {
    const numbers = placesOf(document).filter((place) => typeof valueAt(document, place) === "number");
    const accepted = numbers.filter((place) =>
      ["1e999", "-1e999"].some((number) => {
        const text = JSON.stringify(replaced(document, place, "<number>")).replace('"<number>"', number);
        return read(Buffer.from(text), (value) => parseWith(schema, value))?.kind === "valid";
      }),
    );
    expect(accepted.map((place) => place.join("."))).toEqual([]);
  }
});

function checkMoved(data: Buffer): void {
  const parsed = read(data, parseConfig);
  if (parsed?.kind === "valid") assert.deepEqual(parseConfig(written(parsed.value)), written(parsed));
}

test(
  "a configuration with a moved workspace is read as any other",
  async () => {
    const good = [{ workspace_dir: "tools/relais" }, { workspace_dir: "x", runner: {}, history: {} }];
    const bytes = hostileJson(good);
    expect(await fuzz({ parser: "documents", bytes, runs: 150, check: checkMoved })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);

function checkResult(data: Buffer): void {
  const answer = readBuilderResult(data);
  if (answer.kind === "invalid") assert(answer.message.length < 5_000);
  else if (!data.includes("```") && !data.includes("~~~"))
    assert.deepEqual(answer.result, Object.assign({ outcome: "done", evidence: "" }, oracle(data)));
}

test(
  "a builder's words are a result or a reason",
  async () => {
    const bytes = hostileJson(DOCUMENTS["builder_result"]?.good ?? []);
    expect(await fuzz({ parser: "documents", bytes, runs: 300, check: checkResult })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);
