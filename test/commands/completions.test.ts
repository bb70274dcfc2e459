/** Completions are tried in the shells themselves, where these are installed, and held against the definitions always. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/command-list.ts";
import { GLOBAL_OPTIONS } from "../../src/terminal/global-options.ts";
import { listAllCommands } from "../../src/terminal/find-command.ts";
import { relais } from "../support/in-process.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
const folder = mkdtempSync(join(tmpdir(), "relais-completions-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const scriptOf = (shell: string): string => join(folder, `relais.${shell}`);
const has = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;

beforeAll(async () => {
  for (const shell of SHELLS) {
    writeFileSync(scriptOf(shell), (await relais(["completions", shell], { cwd: folder })).stdout);
  }
  mkdirSync(join(folder, "place/a folder"), { recursive: true });
  writeFileSync(join(folder, "place/task file.json"), "{}");
});

function shellOutput(shell: string, args: readonly string[]): readonly string[] {
  const env = { PATH: process.env["PATH"], HOME: folder, TERM: "dumb", LC_ALL: "C.UTF-8" };
  const ran = spawnSync(shell, args, { cwd: join(folder, "place"), env, encoding: "utf8" });
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: "" });
  return ran.stdout.split("\n").filter((line) => line !== "");
}

const ASK: Readonly<Record<string, (words: readonly string[]) => readonly string[]>> = {
  bash: (words) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const script = `set -u; source '${scriptOf("bash")}'; complete -p relais >/dev/null; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _relais; printf '%s\\n' "\${COMPREPLY[@]-}"`;
    return shellOutput("bash", ["--noprofile", "--norc", "-c", script]);
  },
  fish: (words) => {
    const script = `source '${scriptOf("fish")}'; complete -C '${words.join(" ")}'`;
    return shellOutput("fish", ["--no-config", "-c", script]).map((line) => line.split("\t")[0] ?? "");
  },
};

describe.each(Object.keys(ASK).filter(has))("%s", (shell) => {
  const ask = (...words: string[]) => (ASK[shell]?.(["relais", ...words]) ?? []).toSorted();

  test("offers every command, and those that begin as typed", () => {
    expect(ask("")).toEqual(expect.arrayContaining(COMMANDS.map(({ name }) => name)));
    expect(ask("un")).toEqual(["undo"]);
  });

  test("offers every option of each command", () => {
    for (const { path, command } of listAllCommands(COMMANDS)) {
      const meant = command.subcommands.find(({ name }) => name === command.defaultTo)?.options ?? {};
      const names = Object.keys({ ...command.options, ...meant, ...GLOBAL_OPTIONS });
      expect(ask(...path.split(" "), "--")).toEqual(names.map((option) => `--${option}`).toSorted());
    }
  });

  test("offers the words that arguments and options take", () => {
    expect(ask("history", "")).toEqual(expect.arrayContaining(["diff", "list", "prune", "replay", "show"]));
    expect(ask("history", "show", "")).not.toContain("diff");
    expect(ask("history", "--json", "pr")).toEqual(["prune"]);
    expect(ask("campaign", "run", "--mode", "")).toEqual(["agent", "tmux"]);
    expect(ask("loop", "--mode", "")).toEqual(["autonomous", "milestone"]);
    expect(ask("explain", "STOP_QUESTION_")).toEqual(["STOP_QUESTION_SIDE_EFFECTS"]);
    expect(ask("completions", "f")).toEqual(["fish"]);
    expect(ask("status", "--color", "a")).toEqual(["always", "auto"]);
  });

  test("offers files and folders where these are meant", () => {
    expect(ask("run", "--task", "task")).toEqual([expect.stringMatching(/^task\\? file\.json$/)]);
    expect(ask("status", "--cwd", "a")).toEqual([expect.stringMatching(/^a\\? folder\/?$/)]);
    expect(ask("judge", "--base", "")).toEqual([]);
  });
});

test("bash knows the command behind an option with a value", () => {
  expect(ASK["bash"]?.(["relais", "--cwd", "history", "salvage", "sh"])).toEqual(["show"]);
});

/** In place of zsh's own functions: each prints what it is called with, one argument a line. */
const ZSH_STUBS = `_arguments() { print -rl -- ARGUMENTS "$@"; line=(\${=SAID}); words=(\${=SAID}); state=$WHICH }; _describe() { print -rl -- DESCRIBE "\${(@P)2}" }`;

test.runIf(has("zsh"))("zsh takes the script, registers it, and is told every command and option", () => {
  shellOutput("zsh", ["-n", scriptOf("zsh")]);
  const registered = `autoload -Uz compinit; compinit -D -u; source '${scriptOf("zsh")}'; print -- $_comps[relais]`;
  expect(shellOutput("zsh", ["-fc", registered])).toEqual(["_relais"]);
  const told = (which: string, said: string) => {
    const script = `compdef() { : }; source '${scriptOf("zsh")}'; ${ZSH_STUBS}; WHICH=${which} SAID='${said}'; _relais`;
    return shellOutput("zsh", ["-fc", script]);
  };
  const commands = told("command", "");
  for (const { name, summary } of COMMANDS) expect(commands).toContain(`${name}:${summary}`);
  for (const { path, command } of listAllCommands(COMMANDS)) {
    const said = told("argument", path);
    const own = said.slice(said.lastIndexOf("ARGUMENTS")).join("\n");
    for (const option of Object.keys(command.options)) expect(own).toMatch(new RegExp(`--${option}\\[`));
  }
  expect(told("argument", "loop").join("\n")).toContain(":value:(milestone autonomous)");
});

const bare = (text: string) => new RegExp(`(?<![\\w-])${text}(?![\\w-])`);

test.each(SHELLS)("the script for %s names every command, option and word", async (shell) => {
  const { status, stdout: script, stderr } = await relais(["completions", shell], { cwd: folder });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  for (const { command } of listAllCommands(COMMANDS)) {
    const { name, options, positionals } = command;
    expect(script).toMatch(bare(name));
    for (const word of positionals.choices ?? []) expect(script).toMatch(bare(word));
    for (const option of Object.keys(options)) expect(script).toMatch(new RegExp(`-l ${option} |--${option}\\b`));
  }
});

test.each(["history", "salvage", "tree"])("the words of `relais %s` are those that it takes", async (name) => {
  const { stderr } = await relais([name, "zzzzzzzz"], { cwd: folder });
  const taken = /; it is (?<words>.+)$/m.exec(stderr)?.groups?.["words"]?.split(", ") ?? [];
  const { subcommands = [] } = COMMANDS.find((command) => command.name === name) ?? {};
  expect(subcommands.map((sub) => sub.name)).toEqual(taken);
});

test("a shell that is not known, and none, are misuse", async () => {
  for (const args of [[], ["tcsh"]]) expect((await relais(["completions", ...args], { cwd: folder })).status).toBe(2);
});
