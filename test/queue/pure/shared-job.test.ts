import { expect, test } from "vitest";
import * as v from "valibot";
import { JobSpec } from "../../../src/queue/pure/job.ts";
import { nameAddress } from "../../../src/queue/pure/user-settings.ts";
import { findOwnAddress, refuseSharedJob } from "../../../src/queue/pure/shared-job.ts";

const OWN = "ssh://git@git.example.com/team/app.git";
const TRUST = { repositories: [OWN], branches: [], commands: ["run", "goal", "campaign"] } as const;
const trust = { ...TRUST, repositories: [...TRUST.repositories], branches: [], commands: [...TRUST.commands] };

const JOB: JobSpec = {
  version: 1,
  command: "run",
  arguments: ["--file=sentence.txt", "--agent=claude", "--model=opus-5", "--max-turns=3"],
  repository: { kind: "url", url: "https://git.example.com/team/app" },
  base: { commit: "a".repeat(40), branch: "main" },
  key: "k",
  needs: [],
  caps: { ticks: null, sessions: null, seconds: null, dollars: null },
  title: "fix the typo",
  files: { "sentence.txt": "fix the typo" },
  config: null,
};

test("a job of data for an allowed repository is taken, by the owner's own address", () => {
  expect(refuseSharedJob(JOB, trust)).toBeNull();
  expect(findOwnAddress("https://git.example.com/team/app", trust)).toBe(OWN);
  expect(refuseSharedJob({ ...JOB, command: "goal", arguments: ["--", "--config x; rm -rf /"] }, trust)).toBeNull();
  expect(refuseSharedJob({ ...JOB, command: "campaign", arguments: ["--", "auth"] }, trust)).toBeNull();
});

const ARGUMENTS = [
  ["--config=/tmp/evil.json"],
  ["--config", "/tmp/evil.json"],
  ["--check=none"],
  ["--no-checks"],
  ["--allow=**"],
  ["--new-files"],
  ["--sandbox=off"],
  ["--update-tests=**"],
  ["--fixes=test"],
  ["--attempts=16"],
  ["--quorum=1"],
  ["--max-lines=20000"],
  ["--debug"],
  ["--agent=sh -c 'id'"],
  ["--agent=command,sh"],
  ["--model=--dangerously-skip-permissions"],
  ["--model=a b"],
  ["--max-turns=99999999"],
  ["--max-ticks=-1"],
  ["--file=../../.ssh/id_ed25519"],
  ["--file=/etc/passwd"],
  ["--patch=-"],
  ["--criteria=missing.md"],
  ["--file=toString"],
  ["--constructor=x"],
  ["-x"],
  ["--intent=a\u001b[2Jb"],
  ["--", "-"],
  ["--", "one", "two"],
  ["word"],
];

test.each(ARGUMENTS.map((words) => [words]))("%j are refused", (words) => {
  expect(refuseSharedJob({ ...JOB, arguments: words }, trust)).toMatch(/^[A-Z-].*\.$/);
});

const URLS = [
  "ext::sh -c id",
  "ext::sh%20-c%20id",
  "file:///etc",
  "/etc",
  "../app",
  "https://git.example.com/team/other",
  "https://git.example.com/team/app/../other",
  "https://git.example.com/team/app?x=1",
  "https://git.example.com.evil.com/team/app",
  "https://git.example.com@evil.com/team/app",
  "ssh://-oProxyCommand=id/team/app",
  "-oProxyCommand=id:team/app",
  "--upload-pack=id",
  "git@git.example.com:team/app --upload-pack=id",
  "https://git.example.com/team/app\n",
  "",
];

test.each(URLS)("the address %j is refused", (url) => {
  expect(refuseSharedJob({ ...JOB, repository: { kind: "url", url } }, trust)).toMatch(/worker\.repositories/);
});

const BRANCHES = [
  "+refs/heads/main",
  "-delete",
  "main:other",
  "a..b",
  "a b",
  "x\u0000",
  "x\u202e",
  "/a",
  "a/",
  "a.lock",
];

test.each(BRANCHES)("the branch %j is refused", (branch) => {
  expect(refuseSharedJob({ ...JOB, base: { ...JOB.base, branch } }, trust)).toMatch(/branch/);
});

const JOBS: readonly (readonly [string, Partial<JobSpec>, RegExp])[] = [
  ["a folder", { repository: { kind: "path", path: "/home" } }, /folder of another machine/],
  ["a configuration", { config: '{"builder":{}}' }, /carries a configuration/],
  ["a command that is not allowed", { command: "task", arguments: ["--", "sentence.txt"] }, /worker\.commands/],
  ["a campaign with its own commands", { files: { "campaign.json": "{}" } }, /commands of its own/],
  ["a campaign by a path", { command: "campaign", arguments: ["--", "../x"] }, /no campaign/],
  ["a title that moves the cursor", { title: "a\u001b[2J" }, /control characters/],
  ["a huge text", { files: { "sentence.txt": "x".repeat(5 * 1024 * 1024) } }, /longer than/],
];

test.each(JOBS)("%s is refused", (_, change, says) => {
  expect(refuseSharedJob({ ...JOB, ...change }, trust)).toMatch(says);
});

test.each(["../x", "a/b", "/etc/passwd", "", "..", "-x", "a\u0000"])("a job cannot carry the file %j", (name) => {
  expect(v.safeParse(JobSpec, { ...JOB, files: { [name]: "text" } }).success).toBe(false);
});

test("without an allow-list nothing is taken", () => {
  expect(refuseSharedJob(JOB, { ...trust, repositories: [] })).toMatch(/does not allow/);
});

test("one repository has one name over ssh, https and with or without .git", () => {
  const forms = [OWN, "git@git.example.com:team/app.git", "https://user:secret@git.example.com/team/app/"];
  expect(new Set(forms.map(nameAddress))).toEqual(new Set(["git.example.com/team/app"]));
  expect(nameAddress("file:///srv/app.git")).toBe("/srv/app");
});
