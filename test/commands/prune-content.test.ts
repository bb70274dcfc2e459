import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/in-process.ts";
import { tickRepository, type TickRepository } from "../support/tick-repository.ts";

const write = (text: string) => ({ do: "write", path: "src/x.ts", text });
const STRAY = { do: "write", path: "README", text: "outside\n" };
const OUTSIDE = "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED";
const MIB = 1024 * 1024;

/** Content that nothing refers to. */
function litter({ state }: TickRepository): string {
  const path = join(state(), "large", "0".repeat(40));
  writeFileSync(path, Buffer.alloc(17 * MIB, "litter"));
  return path;
}

test("a prune drops content that nothing refers to, and keeps that of other worktrees", async () => {
  const repository = tickRepository();
  const other = join(repository.box, "other");
  repository.git("worktree", "add", "--quiet", other, "-b", "beside");
  const refused = await repository.tick([STRAY], OUTSIDE);
  const beside = { cwd: other, env: { HOME: repository.box, XDG_STATE_HOME: join(repository.box, "state") } };
  writeFileSync(join(repository.box, "beside.json"), JSON.stringify(repository.task([write("beside\n")])));
  expect(await relais(["run", "--task", join(repository.box, "beside.json")], beside)).toMatchObject({ status: 0 });
  const path = litter(repository);
  const { document } = await repository.ask("history", "prune", "--keep", "0");
  expect(document).toMatchObject({ problems: [] });
  expect(document).toHaveProperty(
    "private_bytes",
    expect.toSatisfy((bytes) => Number(bytes) >= 17 * MIB),
  );
  expect(existsSync(path)).toBe(false);
  expect(await relais(["undo"], beside)).toMatchObject({ status: 0 });
  expect(readFileSync(join(other, "src/x.ts"), "utf8")).toBe("old\n");
  expect(await repository.relais("salvage", "apply", refused)).toMatchObject({ status: 0 });
  expect(readFileSync(join(repository.root, "README"), "utf8")).toBe("outside\n");
});

test("the content of salvage goes with its folder", async () => {
  const repository = tickRepository();
  const refused = await repository.tick([STRAY], OUTSIDE);
  const refs = (): readonly string[] => readdirSync(join(repository.state(), "judge.git/refs/relais/salvage"));
  await repository.relais("history", "prune");
  expect(refs()).toEqual([refused]);
  rmSync(join(repository.state(), "salvage", refused), { recursive: true });
  await repository.relais("history", "prune");
  expect(refs()).toEqual([]);
});

test("a store that has doubled is reduced at the end of a tick, whose change can still be undone", async () => {
  const repository = tickRepository();
  await repository.tick([]);
  const path = litter(repository);
  await repository.tick([write("new\n")]);
  expect(existsSync(path)).toBe(false);
  expect(await repository.relais("undo")).toMatchObject({ status: 0 });
  expect(readFileSync(join(repository.root, "src/x.ts"), "utf8")).toBe("old\n");
});

test("a store that cannot be reduced is named, and the folders are gone all the same", async () => {
  const repository = tickRepository();
  const old = await repository.tick([STRAY], OUTSIDE);
  rmSync(join(repository.state(), "salvage", old), { recursive: true });
  const refused = await repository.tick([STRAY], OUTSIDE);
  const ref = join(repository.state(), "judge.git/refs/relais/salvage", refused);
  writeFileSync(ref, `${"1".repeat(40)}\n`);
  const path = litter(repository);
  expect(await repository.ask("history", "prune", "--keep", "1")).toMatchObject({
    status: 10,
    document: { removed: [{ run_id: old }], problems: [expect.stringContaining("judge.git")] },
  });
  expect(existsSync(path)).toBe(true);
});
