/** Programs that are started for a person come from nowhere inside the repository that is worked on. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runEditor, runPager } from "../../src/process/programs-of-the-person.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

test("a pager or an editor that a change put into the repository is not started", async () => {
  const { root, box } = scratchRepository({ "a.txt": "1\n" });
  const [planted, own] = [join(root, ".venv/bin"), join(box, "bin")];
  for (const [folder, trace] of [
    [planted, join(box, "planted")],
    [own, join(box, "own")],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "shower"), `#!/bin/sh\necho "$@" >> '${trace}'\n`);
    chmodSync(join(folder, "shower"), 0o755);
  }
  const environment = { PATH: `${planted}:${own}:/usr/bin:/bin` };
  const request = { command: "shower", cwd: root, environment, signal: new AbortController().signal };
  expect(await runPager({ ...request, text: "words" })).toBe(true);
  expect(await runEditor({ ...request, files: ["a.txt"] })).toBe(true);
  expect([existsSync(join(box, "planted")), existsSync(join(box, "own"))]).toEqual([false, true]);
});
