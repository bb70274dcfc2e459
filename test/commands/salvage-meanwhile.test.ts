/** The work of a tick whose file a person edited meanwhile is in salvage, and is not lost there. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { listIsolations } from "../support/isolations.ts";
import { type TickRepository, tickRepository } from "../support/tick-repository.ts";

/** Runs a tick; a person edits `src/x.ts` while its builder works. */
async function editMeanwhile(repository: TickRepository, steps: readonly object[], mine: string): Promise<string> {
  const go = join(repository.box, "go");
  const wait = { do: "run", argv: ["sh", "-c", `touch '${go}.here'; while [ ! -e '${go}' ]; do sleep 0.05; done`] };
  const ticking = repository.tick([wait, ...steps], "STOP_MAIN_TREE_CHANGED");
  for (let tries = 0; tries < 400 && !existsSync(`${go}.here`); tries += 1) await delay(50);
  repository.put({ "src/x.ts": mine });
  writeFileSync(go, "");
  return ticking;
}

const OWN = (await listIsolations()).filter((name) => name !== "in_place");

describe.each(OWN)("of a tick that worked in its own place, %s", (isolation) => {
  test("the work is applied as soon as an edit of the same file is out of the way", async () => {
    const files = { "src/x.ts": "1\n2\n3\n4\n5\n" };
    const repository = tickRepository({ files, config: { isolation } });
    const mine = "1\n2\n3\n4\nmine\n";
    const theirs = { do: "write", path: "src/x.ts", text: "theirs\n2\n3\n4\n5\n" };
    const runId = await editMeanwhile(repository, [theirs], mine);
    expect(await repository.ask("salvage", "apply", runId)).toMatchObject({ document: { cause: "conflict" } });
    repository.git("stash", "--quiet");
    expect(await repository.ask("salvage", "apply", runId)).toMatchObject({ status: 0 });
    expect(readFileSync(join(repository.root, "src/x.ts"), "utf8")).toBe(theirs.text);
  });

  test("the named command merges it with a committed edit of the same file", async () => {
    const repository = tickRepository({ files: { "src/x.ts": "1\n2\n3\n4\n5\n" }, config: { isolation } });
    const theirs = { do: "write", path: "src/x.ts", text: "theirs\n2\n3\n4\n5\n" };
    const runId = await editMeanwhile(repository, [theirs], "1\n2\n3\n4\nmine\n");
    repository.git("commit", "--quiet", "--all", "--message=mine");
    const { stderr } = await repository.relais("salvage", "apply", runId);
    const [, options = ""] = /git apply (.*)\n$/u.exec(stderr) ?? [];
    repository.git("apply", ...options.split(" "));
    expect(readFileSync(join(repository.root, "src/x.ts"), "utf8")).toBe("theirs\n2\n3\n4\nmine\n");
  });
});
