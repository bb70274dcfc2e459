/** Several runs of relais in one process do not know of each other: each has its own folder and environment. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { executable, runExecutable } from "../support/relais.ts";
import { tickRepository } from "../support/tick-repository.ts";

interface Person {
  readonly name: string;
  readonly box: string;
  readonly root: string;
  readonly git: (...args: string[]) => string;
  readonly env: Readonly<Record<string, string>>;
}

const COMMITTED = { git: { commit: "always" }, env: { agents: ["WHO"] } };

/** Somebody with a home, a name, a state folder and a program of their own, and with a repository and a task in it. */
function person(name: string): Person {
  const { box, root, git, task } = tickRepository({ branch: name, config: COMMITTED });
  const [home, bin, tmp] = ["home", "bin", "tmp"].map((folder) => join(box, folder));
  for (const folder of [home, bin, tmp]) mkdirSync(folder ?? "");
  writeFileSync(`${home}/.gitconfig`, `[user]\n\tname = ${name}\n\temail = ${name}@example.org\n`);
  // Only this person's PATH leads to it, and it tells what it was started with.
  writeFileSync(`${bin}/program-of-${name}`, '#!/bin/sh\necho "$WHO $HOME $TMPDIR $PWD" > src/x.ts\n');
  chmodSync(`${bin}/program-of-${name}`, 0o755);
  writeFileSync(join(box, "task.json"), JSON.stringify(task([{ do: "run", argv: [`program-of-${name}`] }])));
  const env = {
    WHO: name,
    PATH: `${bin}:${process.env["PATH"]}`,
    HOME: home ?? "",
    XDG_STATE_HOME: join(box, "state"),
    TMPDIR: tmp ?? "",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  return { name, box, root, git, env };
}

type Run = (args: readonly string[], person: Person) => Promise<string>;

const inProcess: Run = async (args, { root, env }) => {
  let said = "";
  const out = (text: string | Uint8Array): void => {
    said += Buffer.from(text).toString("utf8");
  };
  const { signal } = new AbortController();
  const relais = [process.execPath, executable] as const;
  const terminal = { cwd: join(root, "src"), out, err: out, isTerminal: false, env, relais, signal };
  return `${await main(args, terminal)} ${said}`;
};

const asProcess: Run = async (args, { root, env }) => {
  const { status, stdout, stderr } = await runExecutable(args, { cwd: join(root, "src"), env });
  return `${status} ${stdout}${stderr}`;
};

/** What differs from one run to the next, and from one place to another, is replaced. */
function steady(text: string, { box }: Person): string {
  return text
    .replaceAll(box, "<box>")
    .replaceAll(/\b[0-9a-f]{40}\b/g, "<commit>")
    .replaceAll(/\b\d{8}T\d{6}Z-[0-9a-f]{8}\b/g, "<run>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/repo-[0-9a-f]{16}/g, "<state>")
    .replaceAll(/"relais":"[^"]*"/g, '"relais":"<version>"')
    .replaceAll(/"([a-z_]*ms|seconds_ago|[a-z_]*sha256|digest|free_bytes)":("[^"]*"|[\d.]+)/g, '"$1":0')
    .replaceAll(/[\d.]+ [GM]i?B/g, "<size>");
}

const COMMANDS = [
  ["doctor", "--json"],
  ["run", "--task", "../../task.json", "--json"],
  ["status", "--json"],
  ["history", "--json"],
  ["judge", "--base", "HEAD~1", "--json"],
];

/** Everything that this person is told, and what the repository holds in the end. */
async function live(one: Person, run: Run): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const args of COMMANDS) answers.push(steady(await run(args, one), one));
  const file = readFileSync(join(one.root, "src/x.ts"), "utf8");
  return [...answers, steady(file, one), one.git("log", "--format=%an <%ae> %s")];
}

test("two runs at once in one process end as two processes do", async () => {
  const names = ["anna", "bert"];
  const together = await Promise.all(names.map((name) => live(person(name), inProcess)));
  const apart = await Promise.all(names.map((name) => live(person(name), asProcess)));
  expect(together).toEqual(apart);
  for (const [at, name] of names.entries()) {
    expect(together[at]?.[1]).toMatch(/^0 .*"code":"SUCCESS"/);
    expect(together[at]?.at(-2)).toBe(`${name} <box>/home <box>/tmp <box>/repo\n`);
    expect(together[at]?.at(-1)).toContain(`${name} <${name}@example.org> `);
  }
});
