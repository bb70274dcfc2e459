/** A check whose program lies in an ignored folder of the repository that is on the PATH, as in a virtual environment. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inWorld } from "../support/scenario.ts";

const GREEN = "#!/bin/sh\nexit 0\n";

test("a builder that replaces the program of a check is stopped, although git ignores it", () =>
  inWorld(
    {
      files: { ".gitignore": ".venv/\n" },
      config: {
        ignored_writable_globs: [".venv/**"],
        verification: { templates: [{ id: "own", cmd: "own-check", args: [] }] },
      },
      task: { verification: { fast: ["own"], slow: [] } },
      steps: [
        { do: "write", path: "src/main.ts", text: "export const answer = 'broken';\n" },
        { do: "write", path: ".venv/bin/own-check", text: GREEN },
      ],
    },
    async (world) => {
      const bin = join(world.root, ".venv/bin");
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, "own-check"), "#!/bin/sh\ngrep -q 42 src/main.ts\n");
      chmodSync(join(bin, "own-check"), 0o755);
      const ran = await world.run([], { PATH: `${bin}:${world.environment["PATH"]}` });
      expect(JSON.parse(ran.stdout)).toMatchObject({
        code: "STOP_IGNORED_MUTATION",
        findings: [{ subject: ".venv/bin/own-check" }],
        settle: { action: "rollback" },
      });
    },
  ));
