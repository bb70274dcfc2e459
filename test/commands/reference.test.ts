/** What the man page, the reference and the help say about the commands is true. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMANDS } from "../../src/command-list.ts";
import { GLOBAL_OPTIONS } from "../../src/terminal/global-options.ts";
import { listAllCommands } from "../../src/terminal/find-command.ts";
import { commandFault } from "../support/doc-commands.ts";
import { CODES, SERIES_ENDS } from "../../src/base/codes.ts";

const ROOT = join(import.meta.dirname, "../..");
const page = join(ROOT, "man/relais.1");
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const ENV = { ...process.env, MANWIDTH: "400", LC_ALL: "C.UTF-8", MANROFFOPT: "", MAN_KEEP_FORMATTING: "" };

/** A line of the page as it is shown, without the white space that fills it. */
const squeezed = (text: string): string => text.replaceAll(/\s+/g, " ");

test.runIf(has("man"))("man shows the page without a warning, with every command, option and example", () => {
  const shown = spawnSync("man", ["--warnings", "-E", "utf-8", "-l", page], { env: ENV, encoding: "utf8" });
  expect({ status: shown.status, stderr: shown.stderr }).toEqual({ status: 0, stderr: "" });
  const text = squeezed(shown.stdout);
  for (const { path, command } of listAllCommands(COMMANDS)) {
    const { summary, usage, options, examples } = command;
    expect(text).toContain(`relais ${path} ${squeezed(summary)}.`);
    for (const line of usage) expect(text).toContain(`relais ${path} ${line}`.trimEnd());
    for (const { line } of examples) expect(text).toContain(line);
    for (const option of [...Object.keys(options), ...Object.keys(GLOBAL_OPTIONS)])
      expect(text).toContain(`--${option} `);
  }
});

test.runIf(has("groff"))("groff finds nothing to complain about in the page", () => {
  const { status, stderr } = spawnSync("groff", ["-ww", "-man", "-Tutf8", "-z", page], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

test("the page is the one that the package installs", () => {
  const { man, files }: { man: string; files: readonly string[] } = JSON.parse(
    readFileSync(join(ROOT, "package.json"), "utf8"),
  );
  expect(man).toBe("man/relais.1");
  expect(files).toContain("man");
});

test("the reference has every exit status that a code or an end has", () => {
  const rows = [...readFileSync(join(ROOT, "docs/cli.md"), "utf8").matchAll(/^\| (\d+) \|/gm)].map(([, status]) =>
    Number(status),
  );
  expect(rows).toEqual([...new Set(rows)]);
  const exits = [...Object.values(CODES), ...Object.values(SERIES_ENDS)].map(({ exit }) => exit);
  expect(rows).toEqual(expect.arrayContaining([...exits, 1, 2, 129, 130, 143]));
});

test("usage and examples name only commands and options that exist", () => {
  const wrong = listAllCommands(COMMANDS).flatMap(({ path, command: { usage, options, examples } }) => {
    const known = { ...options, ...GLOBAL_OPTIONS };
    const unknown = usage
      .flatMap((line) => [...line.matchAll(/(?<![\w-])--([a-z][a-z-]*)/g)])
      .filter(([, option = ""]) => !(option in known))
      .map(([option]) => `${path}: ${option}`);
    return [...unknown, ...examples.flatMap(({ line }) => commandFault(line) ?? [])];
  });
  expect(wrong).toEqual([]);
});
