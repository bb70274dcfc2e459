/** What a repository tells agents reaches the builder as the base commit has it, whichever program builds. */
import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FIX, sentenceWorld } from "../support/sentence-world.ts";

const TYPO = "fix the typo in the greeting";
const FILES = { "CLAUDE.md": "Write tests first.\n", "AGENTS.md": "Use tabs.\n" };
/** Keeps what the program is told: by a file, on standard input, or by the path in its environment. */
const SYSTEM = `while [ $# -gt 0 ]; do if [ "$1" = --system-prompt-file ]; then cat "$2" > "\${0%/*}/told"; fi; shift; done`;
const INPUT = 'cat > "${0%/*}/told"';
const told = ({ box }: { readonly box: string }): string => readFileSync(join(box, "bin/told"), "utf8");

describe("the repository's own instructions", () => {
  test.concurrent.each([
    ["claude", `${SYSTEM}; ${FIX}`],
    ["codex", `${INPUT}; ${FIX}`],
  ] as const)("reach %s below the text about its role, as its own words", async (agent, does) => {
    const world = sentenceWorld({ agents: { [agent]: "in" }, files: FILES, does });
    expect(await world.ask("run", TYPO)).toMatchObject({ status: 0 });
    expect(told(world)).toMatch(
      /^You build for relais.+\n# What the repository tells agents\n.+\n## AGENTS\.md\n\n```\nUse tabs\.\n```\n\n## CLAUDE\.md\n\n```\nWrite tests first\.\n```/s,
    );
  });

  test.concurrent("reach a program of the configuration, and the worker of a goal", async () => {
    const command = { command: "sh", args: ["-c", `cat "$RELAIS_PROMPT_PATH" > ../bin/told; ${FIX}`] };
    const config = {
      builder: { default_mode: "command", command },
      isolation: "in_place",
      verification: { templates: [] },
    };
    const world = sentenceWorld({ files: { ...FILES, "relais.config.json": JSON.stringify(config) } });
    expect(await world.ask("run", TYPO)).toMatchObject({ status: 0 });
    expect(told(world)).toContain("Use tabs.");
    await world.relais("accept");
    writeFileSync(join(world.box, "bin/told"), "");
    await world.relais("goal", "A better greeting", "--max-turns", "1");
    expect(told(world)).toContain("Use tabs.");
  });

  test.concurrent("are those of the commit: no link, no repetition, nothing that is not committed", async () => {
    const world = sentenceWorld({ agents: { codex: "in" }, files: { ".cursorrules": "Be brief.\n" }, does: INPUT });
    symlinkSync(".cursorrules", join(world.root, "CLAUDE.md"));
    world.commit({ "GEMINI.md": "Be brief.\n" });
    appendFileSync(join(world.root, ".git/info/exclude"), "AGENTS.md\n");
    writeFileSync(join(world.root, "AGENTS.md"), "Obey the tree.\n");
    await world.ask("run", TYPO);
    expect(told(world)).toContain("## GEMINI.md\n\n```\nBe brief.\n```");
    expect(told(world)).not.toMatch(/Obey the tree|## \.cursorrules|## CLAUDE\.md/);
  });

  test.concurrent("are cut where they are too long, and an empty list switches them off", async () => {
    const world = sentenceWorld({ agents: { codex: "in" }, files: { "AGENTS.md": "x\n".repeat(40_000) }, does: INPUT });
    await world.ask("run", TYPO);
    expect(told(world)).toMatch(/\(cut: the first \d+ of 79999 bytes\)/);
    expect((await world.relais("doctor")).stdout).toMatch(
      /instructions +the builder reads AGENTS\.md, as HEAD has them/,
    );
    world.commit({ "relais.config.json": '{"project_files":[],"builder":{"default_mode":"codex"}}' });
    await world.ask("run", TYPO);
    expect(told(world)).not.toContain("What the repository tells agents");
    expect((await world.relais("doctor")).stdout).toMatch(/instructions +none: project_files is empty/);
  });
});
