import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inspectLock } from "../../src/journal/acquire-lock.ts";
import { hostileJson } from "../../test/support/arbitrary-bytes.ts";
import { DOCUMENTS } from "../../test/support/documents.ts";
import { fuzz } from "../../test/support/fuzz.ts";
import { PROPERTY_TIMEOUT_MS } from "../../test/support/runs.ts";
import { accepts } from "../../test/support/json-schema.ts";
import { scratchFolder } from "../../test/support/scratch-repository.ts";

const SCHEMA: unknown = JSON.parse(readFileSync("schemas/lock.schema.json", "utf8"));

async function checkLock(data: Buffer, path: string): Promise<void> {
  writeFileSync(path, data);
  const sighting = await inspectLock(path);
  assert.notEqual(sighting.kind, "free");
  if (sighting.kind !== "busy" && sighting.kind !== "stale") return;
  const text = new TextDecoder("utf-8", { fatal: true }).decode(data);
  assert.deepEqual(sighting.holder, JSON.parse(text));
  assert(accepts(SCHEMA, sighting.holder));
}

test(
  "a lock file of any content is somebody's lock or corrupt, and never free",
  async () => {
    const path = join(scratchFolder(), "lock.json");
    const bytes = hostileJson(DOCUMENTS["lock"]?.good ?? []);
    const check = (data: Buffer) => checkLock(data, path);
    expect(await fuzz({ parser: "lock", bytes, runs: 300, check })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);
