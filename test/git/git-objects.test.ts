import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { withObjects } from "../../src/git/git-objects.ts";
import { withStoredObjects } from "../../src/git/stored-objects.ts";
import { scratchRepository, type ScratchRepository } from "../support/scratch-repository.ts";

const access = ({ root }: ScratchRepository) => ({
  cwd: root,
  environment: process.env,
  gitDir: join(root, ".git"),
});

const NOWHERE = { cwd: "/", environment: process.env, gitDir: "/nonexistent" };

test("many objects are read at once, each with its own content", async () => {
  const contents = ["", "\n", "one", "a\nb\n", "\0\n\n", "x".repeat(200_000), "line\n".repeat(50_000)];
  const files = Object.fromEntries(contents.map((text, index) => [`f${index}`, text]));
  const repository = scratchRepository(files);
  const read = await withObjects(access(repository), (readObject) =>
    Promise.all(contents.map((_, index) => readObject(`HEAD:f${index}`, 1_000_000))),
  );
  expect(read.map(({ content }) => content?.toString())).toEqual(contents);
  expect(read.map(({ newlines }) => newlines)).toEqual(contents.map((text) => text.split("\n").length - 1));
  expect(read.map(({ size }) => size)).toEqual(contents.map((text) => text.length));
});

test("a name can be asked for once the answer to another is known", async () => {
  const repository = scratchRepository({ "a.txt": "1\n" });
  const type = await withObjects(access(repository), async (read) => {
    const commit = await read("HEAD", 10_000);
    const tree = /^tree (?<id>[0-9a-f]+)/.exec(commit.content?.toString() ?? "")?.groups?.["id"];
    return (await read(tree ?? "", 0)).type;
  });
  expect(type).toBe("tree");
});

test("what is longer than wanted is measured and not kept", async () => {
  const repository = scratchRepository({ "a.txt": "12\n45\n" });
  await withObjects(access(repository), async (read) => {
    expect(await read("HEAD:a.txt", 5)).toMatchObject({ content: null, size: 6, newlines: 2 });
    expect(await read("HEAD:a.txt", 6)).toMatchObject({ content: Buffer.from("12\n45\n") });
  });
});

test("a size is told without the content, from files, from packs and by git, and for a missing object there is none", async () => {
  const many = Array.from(
    { length: 40 },
    (_, at) => [`f${at}`, `${"line of text\n".repeat(200 + at)}${at}\n`] as const,
  );
  const repository = scratchRepository({
    ...Object.fromEntries(many),
    "big.txt": "0123456789abcdef\n".repeat(100_000),
    empty: "",
  });
  const gitDir = join(repository.root, ".git");
  const ids = repository.git("ls-tree", "-r", "--format=%(objectname) %(objectsize)", "HEAD").split("\n");
  const expected = ids.map((line) => Number(line.slice(41)));
  const measureAll = (open: typeof withObjects) =>
    open(access(repository), (_read, measure) => Promise.all(ids.map((line) => measure(line.slice(0, 40)))));
  const measureHere: typeof withObjects = (_access, use) => withStoredObjects(NOWHERE, [gitDir], use);
  expect(await measureAll(withObjects)).toEqual(expected);
  expect(await measureAll(measureHere)).toEqual(expected);
  repository.git("repack", "-a", "-d", "-q", "-f");
  expect(await measureAll(measureHere)).toEqual(expected);
  const missing = await withStoredObjects(access(repository), [gitDir], (_read, measure) => measure("f".repeat(40)));
  expect(missing).toBeNull();
});

test("a missing object fails its reader, and the others still get theirs", async () => {
  const repository = scratchRepository({ "a.txt": "1\n" });
  const [missing, present] = await withObjects(access(repository), (read) =>
    Promise.allSettled([read("f".repeat(40), 10), read("HEAD:a.txt", 10)]),
  );
  expect(missing).toMatchObject({ status: "rejected", reason: { name: "MeasurementError" } });
  expect(present).toMatchObject({ status: "fulfilled", value: { size: 2 } });
});

test("no repository to read from fails every reader", async () => {
  const attempt = withObjects({ cwd: "/", environment: process.env, gitDir: "/nonexistent" }, (read) =>
    read("HEAD", 10),
  );
  await expect(attempt).rejects.toThrow("not a git repository");
  const late = withObjects({ cwd: "/", environment: process.env, gitDir: "/nonexistent" }, async (read) => {
    await Promise.allSettled([read("HEAD", 10)]);
    return read("HEAD", 10);
  });
  await expect(late).rejects.toThrow("not a git repository");
});

test("bytes of any kind come back unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const repository = scratchRepository({ "a.bin": Buffer.from(bytes) });
      const { content } = await withObjects(access(repository), (read) => read("HEAD:a.bin", 300));
      expect(content).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 10 },
  );
});

test("objects in files and packs are read without git, as git reads them", async () => {
  const many = Array.from({ length: 40 }, (_, at) => [`f${at}`, `${"line of text\n".repeat(200)}${at}\n`] as const);
  const repository = scratchRepository(Object.fromEntries(many));
  const gitDir = join(repository.root, ".git");
  const head = repository.git("rev-parse", "HEAD");
  const ids = repository.git("rev-parse", "HEAD:f1", "HEAD:f2", "HEAD").split("\n");
  const names = [...ids, `${head}^{tree}`];
  const readAll = (open: typeof withObjects) =>
    open(access(repository), (read) => Promise.all(names.flatMap((name) => [read(name, 100), read(name, 1e6)])));
  const expected = await readAll(withObjects);
  const readHere: typeof withObjects = (_access, use) => withStoredObjects(NOWHERE, ["/nonexistent", gitDir], use);
  expect(await readAll(readHere)).toEqual(expected);
  repository.git("repack", "-a", "-d", "-q", "-f");
  expect(await readAll(readHere)).toEqual(expected);
});

test("git is asked for an object that is not in the files, and for any other name", async () => {
  const repository = scratchRepository({ "a.txt": "1\n" });
  const [id] = repository.git("rev-parse", "HEAD:a.txt").split("\n");
  const sizes = await withStoredObjects(access(repository), [], async (read) => [
    (await read(id ?? "", 10)).size,
    (await read("HEAD:a.txt", 10)).size,
  ]);
  expect(sizes).toEqual([2, 2]);
  const lost = withStoredObjects(NOWHERE, [join(repository.root, ".git")], (read) => read("f".repeat(40), 10));
  await expect(lost).rejects.toThrow("not a git repository");
});
