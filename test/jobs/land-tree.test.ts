/** The branch of a tree job also has the state of the tree, which the runner puts on top of what is there by now. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TreeNode } from "../../src/records/tree.ts";
import { readTree } from "../../src/workflows/pure/read-tree.ts";
import { listTreeNodes, writeTree } from "../../src/workflows/pure/tree-nodes.ts";
import { openQueueWorld, type QueueWorld } from "../support/queue-world.ts";
import { node } from "../support/tree-node.ts";

/** Makes a file with the name of the leaf; the prompt of a second job goes into it. */
const AGENT = `
leaf=one
if [ -e src/one.ts ]; then leaf=two; elif grep -q "Do otherwise" "$RELAIS_PROMPT_PATH"; then leaf=otherwise; fi
echo "$leaf" > "src/$leaf.ts"
grep "could not land" -A 3 "$RELAIS_PROMPT_PATH" >> "src/$leaf.ts"
printf '{"status": "done", "summary": "%s is done"}' "$leaf" > "$RELAIS_RESULT_PATH"
`;

function treeOf(...children: TreeNode[]): string {
  return writeTree({ version: 1, root: node("root", { children }) });
}

async function openTreeWorld(): Promise<QueueWorld> {
  const world = await openQueueWorld({
    builder: { default_mode: "command", command: { command: "sh", args: ["-c", AGENT] } },
    scope: { default_allowed_globs: ["nowhere/**"] }, // A tree has a scope of its own.
    tree: { guard: ["sh", "guard.sh"] },
  });
  world.repository.commit({
    "guard.sh": "test ! -e src/never.ts\n",
    "relais/tree.json": treeOf(node("one"), node("two", { order: 1 })),
  });
  return world;
}

async function runTreeJob({ submit, drain, repository }: QueueWorld, words: readonly string[] = []): Promise<string> {
  const base = { commit: repository.git("rev-parse", "HEAD"), branch: "topic" };
  const job = await submit([], { command: "tree", arguments: [...words], files: {}, base });
  await drain();
  return job;
}

function listStates({ repository }: QueueWorld): readonly string[] {
  const read = readTree(Buffer.from(repository.git("show", "HEAD:relais/tree.json")));
  const tree = read.kind === "tree" ? read.tree : { root: node("unreadable") };
  return listTreeNodes(tree).map(({ node: { id, title, passes } }) => `${id}: ${title}, ${passes ? "passes" : "open"}`);
}

test("its state is merged with that of a tree that a person changed meanwhile", async () => {
  const world = await openTreeWorld();
  const { repository, engine } = world;
  const job = await runTreeJob(world);
  repository.commit({
    "relais/tree.json": treeOf(node("one"), node("two", { order: 1, max_attempts: 9 }), node("three", { order: 2 })),
    "src/x.ts": "newer\n",
  });
  const before = repository.git("rev-parse", "HEAD");
  expect(await repository.ask("land")).toMatchObject({
    status: 0,
    document: { landings: [{ name: job, outcome: "landed", report: { code: "SUCCESS" } }] },
  });
  expect(listStates(world)).toEqual([
    "root: Do root, open",
    "one: Do one, passes",
    "two: Do two, passes",
    "three: Do three, open",
  ]);
  expect(repository.git("show", "HEAD:relais/tree.json")).toContain('"max_attempts": 9');
  expect(repository.git("status", "--porcelain")).toBe("");
  expect(repository.git("log", "--format=%s", `${before}..HEAD`).split("\n")).toHaveLength(2);
  expect(await repository.ask("undo")).toMatchObject({ status: 10, document: { cause: "iteration" } });
  await engine.close();
});

test("a leaf that became something else goes back with the clash as context; a forged state does not land", async () => {
  const world = await openTreeWorld();
  const { repository, drain, engine } = world;
  const job = await runTreeJob(world, ["--max-iterations=1"]);
  expect(await engine.find(job)).toMatchObject({ phase: "failed", result: { branch: `relais/${job}` } });
  repository.commit({
    "relais/tree.json": treeOf(node("one", { title: "Do otherwise", goal: "Another goal" }), node("two", { order: 1 })),
  });
  expect(await repository.ask("land", job)).toMatchObject({
    status: 10,
    document: {
      landings: [
        {
          outcome: "conflict",
          again: `${job}-again`,
          conflict: { paths: ["relais/tree.json"], text: expect.stringContaining('the node "one" passed on one side') },
        },
      ],
    },
  });
  await drain();
  const forged = repository.git("show", "HEAD:relais/tree.json").replaceAll('"passes": false', '"passes": true');
  const again = `relais/${job}-again`;
  expect(await repository.ask("fetch", `${job}-again`)).toMatchObject({ status: 0 });
  expect(repository.git("show", `${again}:src/otherwise.ts`)).toMatch(/could not land[^]*relais\/tree\.json/);
  const tip = repository.git("rev-parse", again);
  repository.git("checkout", "--quiet", again);
  writeFileSync(join(repository.root, "relais/tree.json"), forged);
  repository.git("commit", "--quiet", "--all", "--message=forged");
  repository.git("checkout", "--quiet", "topic");
  expect(await repository.ask("land", `${job}-again`)).toMatchObject({
    status: 10,
    document: { cause: "tree_unproved", message: expect.stringContaining("two") },
  });
  // As a branch without a journal it has no more rights than a builder.
  repository.git("branch", "other", again);
  expect(await repository.ask("land", "other", "--allow=**", "--new-files")).toMatchObject({
    document: { landings: [{ outcome: "stopped", report: { code: "STOP_RUNNER_OWNED_MUTATION" } }] },
  });
  repository.git("branch", "--force", again, tip);
  expect(await repository.ask("land", `${job}-again`)).toMatchObject({ status: 0 });
  expect(listStates(world)).toEqual(["root: Do root, open", "one: Do otherwise, passes", "two: Do two, open"]);
  await engine.close();
});

test("the guard decides where it lands: if it fails there, the job goes back with its output", async () => {
  const world = await openTreeWorld();
  const { repository, engine } = world;
  const job = await runTreeJob(world);
  repository.commit({ "guard.sh": 'test ! -e src/two.ts || { echo "two is not wanted"; exit 1; }\n' });
  expect(await repository.ask("land")).toMatchObject({
    status: 10,
    document: {
      landings: [{ name: job, outcome: "stopped", again: `${job}-again`, report: { code: "STOP_GUARD_FAILED" } }],
    },
  });
  expect(listStates(world)).toEqual(["root: Do root, open", "one: Do one, open", "two: Do two, open"]);
  expect(repository.git("status", "--porcelain")).toBe("");
  const spec = await engine.readSpec(`${job}-again`);
  expect(spec?.files["context.txt"]).toMatch(/the check guard ended with status 1:\n\ntwo is not wanted/);
  expect(await repository.ask("land")).toMatchObject({ document: { landings: [] } });
  await engine.close();
});
