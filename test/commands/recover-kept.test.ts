/** Between a crash and its recovery a person goes on working; none of that is lost. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useSite } from "../crash/running.ts";
import { relais } from "../support/relais.ts";
import { inWorld } from "../support/scenario.ts";
import { watch } from "../support/scenario-ending.ts";
import type { World } from "../support/scenario-world.ts";
import { differences } from "../support/walker.ts";

const KILL_RELAIS = {
  do: "run",
  argv: ["sh", "-c", 'kill -9 "$(ps -o ppid= -p "$PPID" | tr -d " ")"'],
  may_fail: true,
};
const HALF = { do: "write", path: "src/main.ts", text: "half\n" };
const GIT = "git -c user.name=b -c user.email=b@example.org";

async function crash(world: World): Promise<void> {
  expect(await world.run()).toMatchObject({ status: null });
  expect(world.read("src/main.ts")).toBe("half\n");
}

test("a run that was refused in between keeps its history, and ignored files are copied", () =>
  inWorld({ config: { isolation: "in_place" }, ownProcess: true, steps: [HALF, KILL_RELAIS] }, async (world) => {
    const before = watch(world);
    await crash(world);
    expect((await world.run()).status).toBe(11);
    const [refused] = readdirSync(join(world.root, "relais/history")).toSorted().toReversed();
    const report = world.read(`relais/history/${refused}/report.json`);
    world.put({ ".env": "SECRET=mine\n", "dist/deep/mine.txt": "mine\n" });

    const asked = await world.relais(["recover", "--json"]);
    expect(JSON.parse(asked.stdout)).toMatchObject({ rollback: [{ act: "write", path: ".env" }] });
    const recovered = await world.relais(["recover", "--json", "--yes"]);
    expect(recovered).toMatchObject({ status: 0, stderr: "" });
    expect(world.read(`relais/history/${refused}/report.json`)).toBe(report);
    expect(differences(before, watch(world))).toEqual([]);
    const { rescued } = JSON.parse(recovered.stdout);
    expect(rescued).toMatchObject({ kept: 2, total: 2 });
    expect(readFileSync(join(rescued.folder, ".env"), "utf8")).toBe("SECRET=mine\n");
    expect(readFileSync(join(rescued.folder, "dist/deep/mine.txt"), "utf8")).toBe("mine\n");
    expect((await world.relais(["salvage", "list"])).stdout).toContain(rescued.folder);
  }));

test("commits and stashes that were put back are listed, and the commands shown bring them back", () => {
  const script = `echo stashed > src/other.ts; ${GIT} stash -q; git checkout -qb elsewhere; echo mine > src/mine.ts; git add src/mine.ts; ${GIT} commit -qm mine; git checkout -q -`;
  return inWorld({ steps: [{ do: "run", argv: ["sh", "-c", script] }] }, async (world) => {
    expect((await world.run()).status).toBe(10);
    expect(world.git("branch", "--list", "elsewhere")).toBe("");
    const listed = (await world.relais(["salvage", "list"])).stdout;
    expect(listed).toMatch(/refs\/heads\/elsewhere\n/);
    expect(listed).toMatch(/refs\/stash\n/);
    const { rescued } = JSON.parse((await world.relais(["salvage", "list", "--json"])).stdout);
    const { id } = rescued.commits.find(({ ref }: { ref: string }) => ref === "refs/heads/elsewhere");
    const shown = /^ {2}back: (?<command>.+) rescued [0-9a-f]+$/m.exec(listed)?.groups?.["command"] ?? "false";
    world.git("-c", `alias.bring=!sh -c '${`${shown} rescued ${id}`.replaceAll("'", `'\\''`)}'`, "bring");
    expect(world.git("show", "rescued:src/mine.ts")).toBe("mine");
    expect(world.git("fsck", "--no-dangling", "--no-progress", "--no-reflogs")).toBe("");
  });
});

test("what a person writes after a crash between the preparation and the build is in salvage", async () => {
  const site = await useSite("accepted");
  const strike = { at: "/journal.jsonl", data: '"build_started"', when: "before" } as const;
  const { signal } = await site.relais(["run", "--task", join(site.box, "task.json")], strike);
  expect(signal).toBe("SIGKILL");
  expect(site.journal()).toContain('"prepared"');
  expect(site.journal()).not.toContain('"build_started"');
  writeFileSync(join(site.root, "src/mine.ts"), "mine\n");
  expect(await site.relais(["recover"])).toMatchObject({ status: 0, stderr: "" });
  expect((await site.relais(["salvage", "show"])).stdout).toContain("src/mine.ts");
  expect(await site.relais(["salvage", "apply"])).toMatchObject({ status: 0 });
  expect(readFileSync(join(site.root, "src/mine.ts"), "utf8")).toBe("mine\n");
});

const recoverFrom = ({ box, root, environment }: World) =>
  relais(["recover", "--yes", "--cwd", root], { cwd: box, env: environment });

test.each([
  ["is gone", () => undefined],
  ["is a file", (root: string) => writeFileSync(root, "")],
])("where the folder of the repository %s, a sentence says what to do, and that helps", (_, then) =>
  inWorld({ config: { isolation: "in_place" }, ownProcess: true, steps: [HALF, KILL_RELAIS] }, async (world) => {
    const before = watch(world);
    await crash(world);
    const away = join(world.box, "away");
    renameSync(world.root, away);
    then(world.root);
    const refused = await recoverFrom(world);
    expect(refused.status).toBe(11);
    expect(refused.stderr).toMatch(/that folder does not exist any more\.\nNext: /);
    expect(refused.stderr).not.toMatch(/^ {4}at /m);
    rmSync(world.root, { force: true });
    mkdirSync(world.root);
    expect(await recoverFrom(world)).toMatchObject({ status: 0 });
    expect(differences(before, watch(world))).toEqual([]);
  }),
);

test("a lock that nobody understands is shown, with what to do about it", () =>
  inWorld({}, async (world) => {
    world.put({ "relais/lock.json": "{" });
    const { stdout } = await world.relais([]);
    expect(stdout).toMatch(/lock [^]*relais\/lock\.json\s+is\s+damaged/);
    expect(stdout).toMatch(/Next:\n {2}rm [^]*relais\/lock\.json/);
  }));

test("a document that cannot be written is named, and the status says so until it can be", async () => {
  const site = await useSite("accepted");
  await site.relais(["run", "--task", join(site.box, "task.json")]);
  const path = join(site.root, "relais/REPORT.json");
  rmSync(path);
  const refused = await site.relais(["recover"], { at: "REPORT.json", when: "fail" });
  expect(refused).toMatchObject({ status: 11, stderr: expect.stringContaining("relais recover") });
  expect(refused.stderr).toContain("REPORT.json");
  expect(await site.relais(["recover"])).toMatchObject({ status: 0 });
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ code: "SUCCESS" });
});
