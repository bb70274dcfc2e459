import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { watchReads } from "../../src/store/read-watch.ts";

test("files that are read or started are told from the others, and nothing else about them changes", () => {
  const folder = mkdtempSync(join(tmpdir(), "relais-reads-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const names = ["read", "started", "linked", "hidden", "replaced", "removed", "left", "stat"];
  for (const name of names) writeFileSync(join(folder, name), "#!/bin/sh\n");
  for (const name of ["started"]) chmodSync(join(folder, name), 0o755);
  symlinkSync("read", join(folder, "link"));
  for (const name of names) readFileSync(join(folder, name));
  const modified = statSync(join(folder, "left"), { bigint: true }).mtimeNs;
  const states = watchReads(folder, [...names, "link", "missing"]);
  readFileSync(join(folder, "link"));
  execFileSync(join(folder, "started"));
  readFileSync(join(folder, "hidden"));
  const { mtime } = statSync(join(folder, "hidden"));
  utimesSync(join(folder, "hidden"), new Date("2000-01-01T00:00"), mtime);
  writeFileSync(join(folder, "new"), "new\n");
  renameSync(join(folder, "new"), join(folder, "replaced"));
  rmSync(join(folder, "removed"));
  statSync(join(folder, "stat"));
  expect(Object.fromEntries(states())).toEqual({
    read: "read",
    started: "read",
    link: "read",
    linked: "unread",
    hidden: expect.stringMatching(/^(?:read|unknown)$/u),
    replaced: "unknown",
    removed: "unknown",
    left: "unread",
    stat: "unread",
    missing: "unknown",
  });
  expect(statSync(join(folder, "left"), { bigint: true }).mtimeNs).toBe(modified);
});
