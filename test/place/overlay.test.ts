/**
 * The overlay against the working tree itself: whatever a program does, both places must tell the same change, and a
 * merge must leave the same files as the work in place.
 */
import { existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MainTreeChanged } from "../../src/base/main-tree-changed.ts";
import { tryOverlay } from "../../src/sandbox/mount-holder.ts";
import { build, place } from "../support/workplace.ts";

const FILES = {
  "src/deep/er/x.ts": "x\n",
  "src/deep/y.ts": "y\n",
  "src/c.ts": "c\n",
  "docs/read.md": "read\n",
  "run.sh": "#!/bin/sh\n",
};

const refusal = await tryOverlay(tmpdir());

describe.skipIf(refusal !== null)(`in an overlay ${refusal ?? ""}`, () => {
  test("git's own data is read-only, and git answers", async () => {
    const repo = place(FILES);
    const overlay = await repo.open("overlay");
    await overlay.change.prepare();
    const said = await build(overlay, "echo 2 > src/a.ts; git status --short; git add src/a.ts; touch .git/x");
    expect(said).toContain(" M src/a.ts");
    expect(said.match(/Read-only file system/gu)).toHaveLength(2);
  });

  test("a program inside can neither unmount it nor reach the worktree through a process outside", async () => {
    const repo = place(FILES);
    const overlay = await repo.open("overlay");
    await overlay.change.prepare();
    const outside = `/proc/${process.pid}/root${repo.root}/src/a.ts`;
    await build(overlay, `umount -l "$PWD"; cd /; cd "${repo.root}"; echo bad > src/a.ts; echo bad > "${outside}"`);
    expect(repo.read("src/a.ts")).toBe("one\ntwo\n");
  });

  test("no program has the rights to open a file by its number or to make a device", async () => {
    const overlay = await place(FILES).open("overlay");
    await overlay.change.prepare();
    const said = await build(overlay, "grep -h CapEff /proc/self/status; mknod src/disk b 7 0");
    const rights = BigInt(`0x${/CapEff:\s*([0-9a-f]+)/u.exec(said)?.[1] ?? "f".repeat(16)}`);
    const [DAC_READ_SEARCH, SYS_PTRACE, SYS_ADMIN, MKNOD] = [2n, 19n, 21n, 27n];
    for (const right of [DAC_READ_SEARCH, SYS_PTRACE, SYS_ADMIN, MKNOD]) expect((rights >> right) & 1n).toBe(0n);
    expect(said).toContain("Operation not permitted");
  });

  test("a removed folder below it hides nothing of the work, and is no place to merge into", async () => {
    const repo = place(FILES);
    const overlay = await repo.open("overlay");
    await overlay.change.prepare();
    await build(overlay, "echo 2 > src/deep/y.ts; echo n > src/deep/er/n.ts");
    rmSync(join(repo.root, "src/deep"), { recursive: true });
    const candidate = await overlay.change.collect();
    expect(candidate.evidence.changes.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["src/deep/er/n.ts", "src/deep/y.ts"]),
    );
    await expect(overlay.settlement.merge(candidate)).rejects.toThrow(MainTreeChanged);
    expect(existsSync(join(repo.root, "src/deep"))).toBe(false);
  });

  test("what a person edited is never the earlier side of the change", async () => {
    const repo = place(FILES);
    const overlay = await repo.open("overlay");
    await overlay.change.prepare();
    await build(overlay, "echo 2 > src/a.ts");
    repo.write("src/a.ts", "mine\n");
    const { evidence } = await overlay.change.collect();
    expect(evidence.changes).toMatchObject([{ path: "src/a.ts", checked_out: false }]);
  });

  test("only the folders of the change are visited", async () => {
    const repo = place(FILES);
    for (let at = 0; at < 50; at += 1) repo.write(`many/${at}/file.txt`, "x\n");
    const overlay = await repo.open("overlay");
    await overlay.change.prepare();
    await build(overlay, "echo 2 > src/a.ts");
    const { worktree } = (await overlay.change.collect()).observation;
    expect([...worktree.keys()].filter((path) => path.startsWith("many/"))).toEqual([]);
  });
});
