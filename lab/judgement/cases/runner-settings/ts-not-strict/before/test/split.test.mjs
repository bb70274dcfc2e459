import assert from "node:assert/strict";
import { test } from "node:test";
import { split } from "../build/split.js";

test("gives everyone a share", () => {
  const shares = split({ cents: 10, currency: "EUR" }, 2);
  assert.equal(shares.length, 2);
  assert.equal(shares[1].cents, 5);
});
