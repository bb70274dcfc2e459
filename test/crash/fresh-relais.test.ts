/** That one relais of the crash sweep knows nothing of the one before, although both run in one process. */
import { createRequire } from "node:module";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFreshRelais } from "./fresh-relais.ts";

/** Counts its calls and puts itself in front of a loader, as relais does. */
const LIBRARY = `
let calls = 0;
const main = async (words, { out }) => {
  calls += 1;
  require("node:module")._extensions[".cjs"] = () => undefined;
  out(words.join(" ") + calls);
  return 3;
};
module.exports = { main };
`;

test("each call has a state of its own, and nothing of it is left", async () => {
  const folder = mkdtempSync(join(tmpdir(), "relais-fresh-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const library = join(folder, "main.cjs");
  writeFileSync(library, LIBRARY);
  const { extensions } = createRequire(library);
  const loader = extensions[".cjs"];
  const relais = openFreshRelais(library, "relais.cjs");
  const answers = [await relais(["one"], { cwd: folder, env: {} }), await relais(["two"], { cwd: folder, env: {} })];
  expect(answers).toMatchObject([
    { status: 3, stdout: "one1", stderr: "" },
    { status: 3, stdout: "two1" },
  ]);
  expect(extensions[".cjs"]).toBe(loader);
});
