import assert from "node:assert/strict";
import { test } from "node:test";
import { statusFor } from "../src/http.mjs";

test("names the kind of an error", () => {
  assert.deepEqual(statusFor(new RangeError("x")), { status: 404, text: "not found" });
  assert.deepEqual(statusFor(new SyntaxError("x")), { status: 400, text: "bad request" });
  assert.deepEqual(statusFor(new Error("x")), { status: 500, text: "internal error" });
});
