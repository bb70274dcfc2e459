/** The browser of the system gets the link; without a screen there is none. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { openBrowser } from "../../src/process/programs-of-the-person.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

test("the link is given to the program of the system, only where there is a screen", async () => {
  const box = scratchFolder();
  const [bin, root, note] = [join(box, "bin"), join(box, "repo"), join(box, "opened")];
  const program = join(bin, process.platform === "darwin" ? "open" : "xdg-open");
  for (const folder of [bin, root]) mkdirSync(folder);
  writeFileSync(program, `#!/bin/sh\nprintf '%s' "$1" > '${note}.new' && mv '${note}.new' '${note}'\n`);
  chmodSync(program, 0o755);
  const request = { url: "http://127.0.0.1:8123/#token=x", cwd: root };
  const PATH = `${bin}:${process.env["PATH"] ?? ""}`;
  // A Mac always has a screen.
  expect(await openBrowser({ ...request, environment: { PATH } })).toBe(process.platform === "darwin");
  expect(await openBrowser({ ...request, environment: { PATH, DISPLAY: ":0" } })).toBe(true);
  while (!existsSync(note)) await delay(20);
  expect(readFileSync(note, "utf8")).toBe(request.url);
  expect(await openBrowser({ ...request, environment: { PATH: "/nowhere", DISPLAY: ":0" } })).toBe(false);
});
