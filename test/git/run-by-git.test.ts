import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { readFilterSettings } from "../../src/git/filter-settings.ts";
import { findRepository } from "../../src/git/repository-layout.ts";
import { runByGit } from "../../src/git/run-by-git.ts";
import { scratchRepository } from "../support/scratch-repository.ts";

// What this machine is configured with is nothing of the repository.
vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");

async function named(prepare: (repository: ReturnType<typeof scratchRepository>) => void) {
  const scratch = scratchRepository({ "src/a.ts": "a\n", "scripts/lint.sh": "true\n", "README.md": "r\n" });
  prepare(scratch);
  const repository = await findRepository(scratch.root, process.env);
  if (repository.kind !== "repository") throw new Error("there is no repository");
  return runByGit(repository, await readFilterSettings(repository));
}

test.each([
  [{ "core.hooksPath": ".githooks" }, [".githooks"]],
  [{ "core.hooksPath": ".husky/_" }, [".husky"]],
  [{ "include.path": "../config/git.conf" }, ["config/git.conf"]],
  [{ "includeIf.onbranch:main.path": "../git.conf" }, ["git.conf"]],
  [{ "filter.x.clean": "sh tools/clean.sh %f" }, ["%f", "sh", "tools/clean.sh"]],
  [{ "filter.x.smudge": "python3 smudge.py" }, ["python3", "smudge.py"]],
  [{ "diff.x.textconv": "./tools/text" }, ["tools/text"]],
  [{ "diff.x.xfuncname": "^(src|scripts)" }, []],
  [{ "merge.ours.driver": "tools/merge %O %A %B" }, ["%A", "%B", "%O", "tools/merge"]],
  [{ "core.fsmonitor": ".git/hooks/watch" }, []],
  [{ "core.fsmonitor": "tools/watch" }, ["tools/watch"]],
  [{ "core.attributesFile": "attributes", "core.excludesFile": "ignore" }, ["attributes", "ignore"]],
  [{ "alias.go": "!sh scripts/go.sh README.md" }, ["scripts/go.sh"]],
  [{ "alias.look": "!git grep x src/ README.md" }, []],
  [{ "user.name": "src/a.ts", "remote.origin.url": "../src" }, []],
])("%j names %j", async (settings, paths) => {
  const found = await named(({ git }) => {
    for (const [key, value] of Object.entries(settings)) git("config", key, value);
  });
  expect(found).toEqual(paths);
});

function hook(root: string, name: string, text: string): void {
  mkdirSync(join(root, ".git/hooks"), { recursive: true });
  writeFileSync(join(root, ".git/hooks", name), text);
  chmodSync(join(root, ".git/hooks", name), 0o755);
}

test("what an included file and a hook name counts too, and a sample of a hook does not", async () => {
  const found = await named(({ root, git }) => {
    writeFileSync(join(root, "git.conf"), '[filter "y"]\n\tclean = tools/y\n');
    git("config", "include.path", "../git.conf");
    hook(root, "pre-commit", '#!/bin/sh\nexec "$(git rev-parse --show-toplevel)/scripts/lint.sh" "$@"\n');
    hook(root, "pre-push.sample", "exec src/a.ts\n");
  });
  expect(found).toEqual(["git.conf", "scripts/lint.sh", "tools/y"]);
});
