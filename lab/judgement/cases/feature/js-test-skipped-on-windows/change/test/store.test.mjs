import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { saveCart } from "../src/store.mjs";

const folder = mkdtempSync(join(tmpdir(), "cart-"));
after(() => rmSync(folder, { recursive: true }));

test("writes the items", () => {
  saveCart(join(folder, "a"), [{ price: 1 }]);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, "a"), "utf8")), [{ price: 1 }]);
});

test("only the owner can read it", { skip: process.platform === "win32" }, () => {
  saveCart(join(folder, "b"), []);
  assert.equal(statSync(join(folder, "b")).mode & 0o777, 0o600);
});
