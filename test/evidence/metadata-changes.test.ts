import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judge } from "../../src/judge/pure/judge.ts";
import { place } from "../support/workplace.ts";

/** In UTF-8 the name ends with a byte that other encodings take for a space. */
const BRANCH = "voilà";

test("a branch with letters of any language is followed, loose and packed", async () => {
  const repo = place();
  repo.git("checkout", "--quiet", "-b", BRANCH);
  const commit = repo.git("rev-parse", "HEAD").trim();
  const workplace = await repo.open();
  await workplace.change.prepare();
  repo.git("pack-refs", "--all");
  const { evidence } = await workplace.change.collect();
  const head = { text: `ref: refs/heads/${BRANCH}`, commit };
  expect(evidence.head).toEqual({ before: head, after: head });
  expect(evidence.metadata).toEqual([]);
});

test("a commit on such a branch has moved HEAD", async () => {
  const repo = place();
  repo.git("checkout", "--quiet", "-b", BRANCH);
  const workplace = await repo.open();
  await workplace.change.prepare();
  repo.git("commit", "--quiet", "--allow-empty", "--message=mine");
  const { evidence } = await workplace.change.collect();
  expect(judge(evidence)).toMatchObject({ code: "STOP_HEAD_MOVED" });
  expect(evidence.head?.after.commit).toBe(repo.git("rev-parse", "HEAD").trim());
});

test("packed refs whose names are no text are told apart", async () => {
  const repo = place();
  const commit = repo.git("rev-parse", "HEAD").trim();
  const packed = join(repo.root, ".git/packed-refs");
  const line = (byte: number) =>
    Buffer.concat([Buffer.from(`${commit} refs/heads/`), Buffer.of(byte), Buffer.from("\n")]);
  writeFileSync(packed, Buffer.concat([line(0xf0), line(0xff)]));
  const workplace = await repo.open();
  await workplace.change.prepare();
  writeFileSync(packed, line(0xff));
  appendFileSync(packed, line(0xfe));
  const { evidence } = await workplace.change.collect();
  expect(evidence.metadata.map(({ subject, change }) => `${change} ${subject}`)).toEqual([
    "removed refs/heads/\\xf0",
    "added refs/heads/\\xfe",
  ]);
});
