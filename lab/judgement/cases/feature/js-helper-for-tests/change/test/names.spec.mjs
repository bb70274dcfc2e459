import assert from "node:assert/strict";
import { renderNames } from "../src/report.mjs";
import { entriesFor } from "./entries.mjs";
import { it } from "./harness.mjs";

it("sorts the names", () => {
  assert.equal(renderNames({ entries: entriesFor("Bob", "Ada") }), "Ada\nBob\n");
});
