import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SELF_IGNORE } from "../../src/config/workspace-layout.ts";
import { executable } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

/** What a tick leaves in `relais/.gitignore` that found this text there. */
function runOver(text: string) {
  const place = scratchFolder();
  const builder = join(place, "builder.sh");
  const result = '{"summary":"","files_intended":[],"commands_ran":[],"notes":[]}';
  writeFileSync(builder, `echo 2 > a.txt; printf '${result}' > "$RELAIS_RESULT_PATH"`);
  const config = {
    sandbox: "off",
    isolation: "in_place",
    builder: { default_mode: "command", command: { command: "sh", args: [builder] } },
    scope: { default_allowed_globs: ["a.txt"] },
  };
  const { root } = scratchRepository({ "a.txt": "1\n", "relais.config.json": JSON.stringify(config) });
  const ignore = join(root, "relais/.gitignore");
  mkdirSync(join(root, "relais"));
  writeFileSync(ignore, text);
  const env = { ...gitEnvironment(place), XDG_STATE_HOME: join(place, "state") };
  const args = [executable, "run", "Change a.txt", "--json"];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
  const { code }: { code: string } = JSON.parse(stdout);
  return { code, text: readFileSync(ignore, "utf8") };
}

test.each(["", SELF_IGNORE.slice(0, 20)])("an ignore file that was cut short (%j) is written again", (text) => {
  expect(runOver(text)).toEqual({ code: "SUCCESS", text: SELF_IGNORE });
});

test("one of somebody else stays as it is", () => {
  expect(runOver("*\n").text).toBe("*\n");
});
