import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import type { DoctorCheck } from "../../src/checks/pure/config-text.ts";
import { checkDoctorPrograms } from "../../src/setup/doctor-machine.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

interface Question {
  /** What a stand-in for codex answers to the question for its login, as a shell command. */
  readonly login?: string;
  /** What it says about the arguments of a session without a prompt. */
  readonly options?: string;
  readonly settings?: string;
  readonly config?: object;
  readonly environment?: Readonly<Record<string, string>>;
}

const NONE = "echo 'Not logged in' >&2; exit 1";
const PROVIDER = 'model_provider = "mine"\n[model_providers.mine]\nenv_key = "MY_KEY"\n';

/** Every line about a role that codex plays. */
async function lines(question: Question): Promise<readonly DoctorCheck[]> {
  const { login = "echo 'Logged in using ChatGPT' >&2", options = "No prompt provided via stdin." } = question;
  const box = scratchFolder();
  const bin = join(box, "bin");
  for (const folder of [bin, join(box, ".codex")]) mkdirSync(folder);
  const script = `#!/bin/sh
case "$1" in
--version) echo codex-cli 0.166.0 ;;
login) ${login} ;;
*) echo "WARNING: something harmless" >&2; echo "${options}" >&2; exit 1 ;;
esac
`;
  writeFileSync(join(bin, "codex"), script);
  chmodSync(join(bin, "codex"), 0o755);
  writeFileSync(join(box, ".codex/config.toml"), question.settings ?? "");
  const config = parseConfig({ builder: { default_mode: "codex" }, ...question.config });
  if (config.kind === "invalid") throw new Error("the configuration of the test is none");
  const environment = { PATH: `${bin}:/usr/bin:/bin`, HOME: box, ...question.environment };
  return checkDoctorPrograms(config.value, { path: bin, cwd: box, environment });
}

const builder = async (question: Question): Promise<DoctorCheck | undefined> =>
  (await lines(question)).find(({ subject }) => subject === "builder");

test.each<[string, Question, "ok" | "warn" | "fail", RegExp]>([
  ["a login", {}, "ok", /^codex: .*\/codex, version 0\.166\.0, logged in by ChatGPT$/],
  [
    "a provider whose key stays outside",
    { settings: PROVIDER, environment: { MY_KEY: "k" } },
    "fail",
    /MY_KEY is not passed to sessions/,
  ],
  [
    "an option that it does not know",
    { options: "error: unexpected argument '--ephemeral' found" },
    "fail",
    /does not support the options/,
  ],
])("codex is asked how it is: %s", async (_, ...[question, status, words]) => {
  expect(await builder(question)).toMatchObject({ status, message: expect.stringMatching(words) });
});

test("who plans and who reviews is looked at too, and only what planning needs is no failure", async () => {
  const config = {
    builder: { default_mode: "scripted" },
    roles: { orchestrator: { driver: "codex" }, reviewer: { driver: "codex" } },
    review: { reviewers: ["risk"] },
  };
  const checks = await lines({ login: NONE, config });
  const statuses = Object.fromEntries(checks.map(({ subject, status }) => [subject, status]));
  expect(statuses).toMatchObject({ builder: "ok", orchestrator: "warn", reviewer: "fail" });
});
