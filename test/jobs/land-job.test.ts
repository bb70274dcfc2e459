/** The results of jobs land in the order of their end; one that conflicts goes back once. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openQueueWorld } from "../support/queue-world.ts";

/** Appends a word of the sentence to the one line of the file; after a conflict it makes a file of its own. */
const SCRIPT = `
word=$(grep -o -m1 -E 'vermilion|cobalt' "$RELAIS_PROMPT_PATH" | head -1)
if grep -q "could not land" "$RELAIS_PROMPT_PATH"; then echo "$word" > src/$word.ts; else echo "$word" > src/x.ts; fi`;

test("two jobs land, the second after its conflict went back as context", async () => {
  const { repository, submit, drain, engine } = await openQueueWorld({
    builder: { default_mode: "command", command: { command: "sh", args: ["-c", SCRIPT] } },
    scope: { default_allowed_globs: ["src/**"], default_allow_new_files: true },
  });
  const run = (sentence: string) => submit([], { command: "run", arguments: ["--", sentence], files: {} });
  const red = await run("make it vermilion");
  await drain();
  const blue = await run("make it cobalt");
  await drain();
  expect(await repository.ask("land")).toMatchObject({
    status: 10,
    document: {
      landings: [
        { name: red, outcome: "landed" },
        { name: blue, outcome: "conflict", conflict: { paths: ["src/x.ts"], again: `${blue}-again` } },
      ],
    },
  });
  expect(await engine.find(`${blue}-again`)).toMatchObject({
    phase: "waiting",
    spec: { base: { commit: repository.git("rev-parse", "HEAD") } },
  });
  // It went back already, so it does not land and is not sent back again.
  expect(await repository.ask("land")).toMatchObject({ status: 0, document: { landings: [] } });
  await drain();
  expect(await repository.ask("land")).toMatchObject({
    status: 0,
    document: { landings: [{ name: `${blue}-again`, outcome: "landed" }] },
  });
  expect(repository.git("ls-files", "src")).toMatch(/src\/cobalt\.ts/);
  expect(repository.git("log", "-1", "--format=%s")).toBe("chore(relais): make it cobalt");
  expect(repository.git("show", "HEAD:src/x.ts")).toBe("vermilion");
  expect(await repository.ask("land")).toMatchObject({ status: 0, document: { landings: [] } });
  await engine.close();
});

test("a lock that a killed git left is named, and without it the job lands", async () => {
  const { repository, submit, drain, engine } = await openQueueWorld();
  const job = await submit([{ do: "write", path: "src/x.ts", text: "new\n" }]);
  await drain();
  const lock = join(repository.root, ".git/refs/heads/relais", `${job}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  writeFileSync(lock, "");
  expect(await repository.ask("land")).toMatchObject({
    status: 11,
    document: {
      code: "BLOCKED_LOCK_HELD",
      cause: "git_lock",
      message: expect.stringContaining(lock),
      remedy: expect.stringContaining("remove the file"),
    },
  });
  rmSync(lock);
  expect(await repository.ask("land")).toMatchObject({ document: { landings: [{ name: job, outcome: "landed" }] } });
  await engine.close();
});
