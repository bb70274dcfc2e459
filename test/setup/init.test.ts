import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { WorkspaceState } from "../../src/records/state.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { IGNORED_SAMPLES } from "../../src/config/workspace-layout.ts";
import { initialise } from "../../src/setup/init.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

const init = (cwd: string) =>
  initialise({
    cwd,
    commit: false,
    full: true,
    signal: new AbortController().signal,
    environment: { XDG_STATE_HOME: scratchFolder() },
  });
const read = (...parts: string[]) => readFileSync(join(...parts), "utf8");

async function initialised(cwd: string) {
  const outcome = await init(cwd);
  if (outcome.kind !== "initialised") throw new Error(outcome.message);
  return outcome;
}

const OWN_FILES = ["relais/.gitignore", "relais/GOAL.md", "relais/FACTS.md", "relais/fixtures/README.md"];
const prompts = readdirSync("prompts").map((name) => `prompts/${name}`);
/** Those of documents; what commands print is described beside them and stays in the package. */
const schemas = readdirSync("schemas")
  .filter((name) => name.endsWith(".schema.json"))
  .map((name) => `schemas/${name}`);

test("a configuration and a whole workspace are written, with what the package ships", async () => {
  const { root } = scratchRepository({
    "package.json": '{"scripts":{"test":"node --test","lint":"x"}}',
    "src/a.js": "1\n",
  });
  const { files, detection, hasCommit } = await initialised(root);
  const expected = [...OWN_FILES, ...[...prompts, ...schemas].map((name) => `relais/${name}`), "relais.config.json"];
  expect(files.map(({ path }) => path).toSorted()).toEqual(expected.toSorted());
  expect(files.every(({ state }) => state === "written")).toBe(true);
  const state: unknown = JSON.parse(readFileSync(join(root, "relais/STATE.json"), "utf8"));
  expect(v.is(WorkspaceState, state)).toBe(true);
  for (const name of [...prompts, ...schemas]) expect(read(root, "relais", name)).toBe(read(name));
  expect(detection?.found).toEqual(["npm (package.json): lint, test"]);
  expect(hasCommit).toBe(true);
  const document: unknown = JSON.parse(read(root, "relais.config.json"));
  expect(document).toEqual({
    $schema: "./relais/schemas/config.schema.json",
    scope: { default_allowed_globs: ["src/**", "package.json"] },
    verification: {
      templates: [
        { id: "lint", cmd: "npm", args: ["run", "lint"] },
        { id: "test", cmd: "npm", args: ["run", "test"] },
      ],
      required: ["lint", "test"],
    },
  });
  expect(parseConfig(document).kind).toBe("valid");
});

test("git ignores what relais writes later and sees everything else", async () => {
  const { root, git, put } = scratchRepository({ "a.txt": "1\n" });
  const { files } = await initialised(root);
  put(Object.fromEntries(IGNORED_SAMPLES.map((name) => [`relais/${name}`, "x\n"])));
  const untracked = git("ls-files", "--others", "--exclude-standard").split("\n");
  expect(untracked.toSorted()).toEqual(files.map(({ path }) => path).toSorted());
  expect(IGNORED_SAMPLES).toEqual(
    expect.arrayContaining(["STATE.json", "BLOCKED.json", "history/any", ".tmp/any", "any.tmp"]),
  );
  expect(existsSync(join(root, ".gitignore"))).toBe(false);
});

test("it works from a folder inside and writes at the root", async () => {
  const { root } = scratchRepository({ "src/deep/a.txt": "1\n" });
  await initialised(join(root, "src/deep"));
  expect(existsSync(join(root, "relais.config.json"))).toBe(true);
  expect(readdirSync(join(root, "src/deep"))).toEqual(["a.txt"]);
});

test("nothing that exists is touched, and what is missing is filled in", async () => {
  const { root, put } = scratchRepository({ "a.txt": "1\n" });
  const mine = {
    "relais/GOAL.md": "mine\n",
    "relais/prompts/builder.user.txt": "",
    "relais.config.json": "{}\n",
  };
  put(mine);
  const { files, detection } = await initialised(root);
  expect(detection).toBeNull();
  expect(files.filter(({ state }) => state === "kept").map(({ path }) => path)).toEqual([
    "relais/GOAL.md",
    "relais/prompts/builder.user.txt",
    "relais.config.json",
  ]);
  for (const [path, text] of Object.entries(mine)) expect(read(root, path)).toBe(text);
  const again = await initialised(root);
  expect(new Set(again.files.map(({ state }) => state))).toEqual(new Set(["kept"]));
});

test("a link in the place of a file is kept and not written through", async () => {
  const { root, box } = scratchRepository({ "a.txt": "1\n" });
  mkdirSync(join(root, "relais"));
  symlinkSync(join(box, "elsewhere"), join(root, "relais/FACTS.md"));
  const { files } = await initialised(root);
  expect(files.find(({ path }) => path === "relais/FACTS.md")?.state).toBe("kept");
  expect(existsSync(join(box, "elsewhere"))).toBe(false);
});

test.each([
  ["relais", "relais"],
  ["relais/schemas", "relais/schemas"],
])("a link at %s is refused before anything is written", async (_, at) => {
  const { root, box } = scratchRepository({ "a.txt": "1\n" });
  mkdirSync(join(box, "outside"));
  if (at !== "relais") mkdirSync(join(root, "relais"));
  symlinkSync(join(box, "outside"), join(root, at));
  expect(await init(root)).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("symbolic link"),
    written: [],
  });
  expect(readdirSync(join(box, "outside"))).toEqual([]);
  expect(existsSync(join(root, "relais.config.json"))).toBe(false);
});

test("a file in the place of the workspace is refused", async () => {
  const { root } = scratchRepository({ relais: "a file\n" });
  expect(await init(root)).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("relais is not a folder"),
  });
});

test("the workspace lies where an existing configuration says", async () => {
  const { root, put } = scratchRepository({ "a.txt": "1\n" });
  put({ "relais.config.json": '{"workspace_dir":"tools/runner"}\n' });
  const { workspace } = await initialised(root);
  expect(workspace).toBe("tools/runner");
  expect(existsSync(join(root, "tools/runner/prompts/builder.system.txt"))).toBe(true);
  expect(existsSync(join(root, "relais"))).toBe(false);
});

test("a configuration that cannot be used is not guessed around", async () => {
  const { root, put } = scratchRepository({ "a.txt": "1\n" });
  put({ "relais.config.json": '{"scoop":{}}' });
  expect(await init(root)).toMatchObject({ kind: "refused", problems: [expect.stringContaining("scoop")] });
  put({ "relais.config.json": "{" });
  expect(await init(root)).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("is not JSON"),
  });
  expect(existsSync(join(root, "relais"))).toBe(false);
});

test("a repository without a commit is set up and told apart", async () => {
  const { root } = scratchRepository();
  expect(await initialised(root)).toMatchObject({ hasCommit: false });
});

test("where there is no working tree there is nothing to set up", async () => {
  const folder = scratchFolder();
  expect(await init(folder)).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("`git init`"),
  });
  const { root } = scratchRepository({ "a.txt": "1\n" });
  expect(await init(join(root, ".git"))).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("is a bare repository"),
  });
});

test("an interrupted start is finished by the next one", async () => {
  const { root } = scratchRepository({ "a.txt": "1\n" });
  await initialised(root);
  rmSync(join(root, "relais.config.json"));
  rmSync(join(root, "relais/schemas"), { recursive: true });
  writeFileSync(join(root, "relais/GOAL.md"), "goal\n");
  const { files } = await initialised(root);
  const written = files.filter(({ state }) => state === "written").map(({ path }) => path);
  expect(written.toSorted()).toEqual([...schemas.map((name) => `relais/${name}`), "relais.config.json"].toSorted());
});
