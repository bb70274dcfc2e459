import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CODES, SERIES_ENDS } from "../../src/base/codes.ts";
import { relais } from "../support/in-process.ts";
import { executable, relais as runAsProcess } from "../support/relais.ts";
import { tickRepository } from "../support/tick-repository.ts";

const { version }: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));
const run = (...args: string[]) => relais(args, { cwd: "/" });

test("with --help the commands are listed", async () => {
  const help = await run("--help");
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toContain("Usage: relais COMMAND [OPTIONS]");
  expect(help.stdout).toMatch(/^ {2}judge +Judge a change/m);
  expect(help.stdout).toMatch(/^ {2}explain +Explain a code/m);
});

test("the help of a command has its options and examples", async () => {
  const { stdout } = await run("judge", "--help");
  expect(stdout).toContain("Usage: relais judge [--base REV]");
  expect(stdout).toMatch(/^ {6}--max-lines N +At most N added/m);
  expect(stdout).toMatch(/^ {2}relais judge --staged +the next commit$/m);
  expect((await run("--help", "judge")).stdout).toBe(stdout);
});

test("the version is that of the build, and JSON where JSON is asked for", async () => {
  expect(await runAsProcess(["--version"], { cwd: "/" })).toEqual({
    status: 0,
    stdout: `relais ${version}\n`,
    stderr: "",
  });
  expect((await run("--version", "--json")).stdout).toBe(`${JSON.stringify({ version })}\n`);
});

test.each([
  [["jugde"], 'there is no command "jugde"; did you mean "judge"?', "relais --help"],
  [["frobnicate"], 'there is no command "frobnicate"', "relais --help"],
  [["judge", "--alow", "x"], "there is no option --alow; did you mean --allow?", "relais judge --help"],
  [["judge", "-z"], "there is no option -z", "relais judge --help"],
  [["judge", "--__proto__"], "there is no option --__proto__", "relais judge --help"],
  [["judge", "--base"], "the option --base needs a value: --base REV", "relais judge --help"],
  [["run", "--task", "a.json", "--task=b.json"], "the option --task is given twice", "relais run --help"],
  [["--cwd", "/", "judge", "--cwd", "/"], "the option --cwd is given twice", "relais judge --help"],
  [["judge", "--base", "--json-not"], "the option --base needs a value: --base REV", "relais judge --help"],
  [["judge", "--staged=yes"], "the option --staged takes no value", "relais judge --help"],
  [["judge", "here"], 'relais judge takes no text here: "here"', "relais judge --help"],
  [["judge", "-q", "-v"], "--quiet and --verbose exclude each other", "relais judge --help"],
  [["judge", "--color", "red"], '--color is auto, always or never, not "red"', "relais judge --help"],
  [["judge", "--max-files", "1e3"], '--max-files is a whole number, 0 or more, not "1e3"', "relais judge --help"],
  [["ui", "--idle", "2s"], '--idle is a whole number of seconds, 0 or more, not "2s"', "relais ui --help"],
  [["judge", "--range", "HEAD"], '"HEAD" is not a range; write it as A..B', "relais judge --help"],
  [["judge", "--range", ".."], '".." is not a range; write it as A..B', "relais judge --help"],
  [["judge", "--range", "a..b..c"], '"a..b..c" is not a range; write it as A..B', "relais judge --help"],
  [["judge", "--range", "a..b", "--base", "c"], "--range has its own base: leave out --base", "relais judge --help"],
  [["judge", "--range", "a..b", "--staged"], "--range and --staged exclude each other", "relais judge --help"],
  [
    ["explain", "STOP_UNSAFE_PAHT"],
    'there is no code "STOP_UNSAFE_PAHT"; did you mean STOP_UNSAFE_PATH?',
    "relais explain --help",
  ],
  [["--nonsense"], "there is no option --nonsense", "relais --help"],
  [["history", "shwo"], 'there is no "shwo" here; did you mean "show"?', "relais history --help"],
  [["history", "wipe"], 'there is no "wipe" here; it is list, show, diff, replay, prune', "relais history --help"],
  [["explain", "\u001b[31mred"], 'there is no code "\\u{1b}[31mred"', "relais explain --help"],
])("%j is refused in one sentence", async (args, message, help) => {
  expect(await run(...args)).toEqual({
    status: 2,
    stdout: "",
    stderr: `relais: ${message}\nSee \`${help}\`.\n`,
  });
});

test("a sub-command has help of its own, and its command has help about all of them", async () => {
  const { stdout: own } = await run("tree", "run", "--help");
  expect(own).toContain("Usage: relais tree run [--max-iterations N] [--new] [OPTION]...\n");
  expect(own).toContain("--max-iterations N");
  expect(own).not.toContain("--why");
  const { stdout: all } = await run("tree", "--help");
  expect(all).toContain("\nCommands:\n");
  expect(all).toMatch(/relais tree select \[--why\]\n/);
  expect(all).not.toContain("--max-iterations N  ");
  expect(await run("history", "--help")).not.toEqual(await run("history", "list", "--help"));
});

test.each([
  [["tree", "step", "--why"], "--why belongs to `relais tree select`", "relais tree step --help"],
  [["tree", "--new"], "--new belongs to `relais tree step` and `relais tree run`", "relais tree show --help"],
  [["history", "--keep", "3"], "--keep belongs to `relais history prune`", "relais history list --help"],
  [["history", "prune", "x"], 'relais history prune takes no text here: "x"', "relais history prune --help"],
  [
    ["campaign"],
    "relais campaign needs one of: brainstorm, init, run, status, logs, stop, clean",
    "relais campaign --help",
  ],
  [["completions", "tcsh"], 'there is no "tcsh" here; it is bash, zsh, fish', "relais completions --help"],
])("%j names the sub-command that is meant", async (args, message, help) => {
  expect(await run(...args)).toEqual({
    status: 2,
    stdout: "",
    stderr: `relais: ${message}\nSee \`${help}\`.\n`,
  });
});

test("an option may stand before the name of its sub-command", async () => {
  expect((await run("history", "--keep", "x", "prune")).stderr).toContain("--keep is a whole number, 0 to");
  expect((await run("campaign", "--max-iter", "3", "run")).stderr).toContain("needs the slug of a campaign");
});

test("a mistake with --json is one document on standard output", async () => {
  const { status, stdout, stderr } = await run("judge", "--json", "--nonsense");
  expect(status).toBe(2);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({
    error: "usage",
    message: "there is no option --nonsense",
    problems: [],
    help: "relais judge --help",
  });
});

test("a glob that cannot be used is refused with its reason", async () => {
  const { status, stderr } = await run("judge", "--allow", "!src/**");
  expect(status).toBe(2);
  expect(stderr).toMatch(/^relais: the glob "!src\/\*\*" cannot be used: .+\nSee `relais judge --help`\.\n$/);
});

test("explain knows every code and every end of a series, in any case", async () => {
  for (const code of ["STOP_UNSAFE_PATH", "stop_unsafe_path"]) {
    expect(await run("explain", code)).toEqual({
      status: 0,
      stderr: "",
      stdout: `STOP_UNSAFE_PATH: stop, exit status 10\n  ${CODES.STOP_UNSAFE_PATH.meaning}\n  Next: ${CODES.STOP_UNSAFE_PATH.remedy}\n`,
    });
  }
  expect((await run("explain", "stuck")).stdout).toBe(
    `stuck: end of a series, exit status 14\n  ${SERIES_ENDS.stuck.meaning}\n`,
  );
  expect(JSON.parse((await run("--json", "explain", "SUCCESS")).stdout)).toEqual({
    code: "SUCCESS",
    ...CODES.SUCCESS,
  });
  expect(JSON.parse((await run("explain", "--json")).stdout)).toEqual({
    codes: CODES,
    series_ends: SERIES_ENDS,
  });
  const lines = (await run("explain")).stdout.split("\n").map((line) => line.trim().split(/\s+/)[0]);
  expect(lines).toEqual(expect.arrayContaining([...Object.keys(CODES), ...Object.keys(SERIES_ENDS)]));
});

const explain = async (args: string[], env: Record<string, string>) =>
  (await relais(["explain", "SUCCESS", ...args], { cwd: "/", env })).stdout;

test("colours are off in a pipe, on when asked for, and NO_COLOR does not overrule the person", async () => {
  const bold = "\u001b[1mSUCCESS\u001b[22m";
  expect(await explain([], {})).not.toContain("\u001b");
  expect(await explain(["--color=always"], { NO_COLOR: "1" })).toContain(bold);
  expect(await explain(["--color", "never"], {})).not.toContain("\u001b");
});

test("a reader that goes away early is no failure", async () => {
  const child = spawn(
    "/bin/sh",
    ["-c", '"$0" "$1" explain --json; echo "status $?" >&2', process.execPath, executable],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  child.stdout.destroy();
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await once(child, "close");
  expect(said).toBe("status 0\n");
});

test("--quiet says nothing of a tick that is green, and everything of one that is not", async () => {
  const { box, task, relais: here } = tickRepository();
  const file = join(box, "task.json");
  const silent = { status: 0, stdout: "", stderr: "" };
  writeFileSync(file, JSON.stringify(task([{ do: "write", path: "src/x.ts", text: "new\n" }])));
  expect(await here("run", "--task", file, "--dry-run", "--quiet")).toEqual(silent);
  expect(await here("run", "--task", file, "--quiet")).toEqual(silent);
  expect(await here("recover", "--quiet")).toEqual(silent);
  expect(await here("accept", "--quiet")).toEqual(silent);
  writeFileSync(file, JSON.stringify(task([{ do: "write", path: "other.ts", text: "new\n" }])));
  const stopped = await here("run", "--task", file, "--quiet");
  expect(stopped).toMatchObject({ status: 10, stderr: "" });
  expect(stopped.stdout).toContain("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED");
});
