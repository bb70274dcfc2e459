import assert from "node:assert/strict";
import { test } from "node:test";
import { escapeHtml } from "../src/html.mjs";

test("escapes signs", () => {
  assert.equal(escapeHtml("&"), "&amp;");
  assert.equal(escapeHtml("<"), "&lt;");
  assert.equal(escapeHtml(">"), "&gt;");
  assert.equal(escapeHtml('"'), "&quot;");
});
