/** The real programs in the sandbox, in each place, as root and as an ordinary user. */
import { realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { serveMessages } from "../model-api/anthropic-messages.ts";
import { serveResponses } from "../model-api/openai-responses.ts";
import { openBench, USERS } from "../sandbox/bench.ts";
import * as claude from "./claude-turns.ts";
import * as codex from "./codex-turns.ts";

const bin = process.env["RELAIS_AGENTS_BIN"] ?? "";
const agents = dirname(bin);
/** A command of the model, which writes where it may and where it may not. */
const COMMAND =
  "echo new > src/new.ts; cat ~/.ssh/id_ed25519; echo x > ../outside; git commit -qam mine; curl -s https://example.org; true";
const cases = USERS.flatMap((user) =>
  ["in_place", "overlay"].flatMap((isolation) =>
    ["claude_code", "codex"].map((agent) => ({ ...user, isolation, agent })),
  ),
);

/** The programs lie in root's home, so they are mounted into the home of the user. */
const launcher = (uid: number) => (box: string) => {
  const mount = ["unshare", "-m", "sh", "-c", 'mount --bind "$1" "$2" && shift 2 && exec "$@"', "sh"];
  const user = ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"];
  return [...mount, agents, join(box, "home/agents"), ...user];
};

describe("with the real programs", () => {
  test.each(cases)("$agent works as $name ($isolation)", async ({ uid, isolation, agent }) => {
    const anthropic = await serveMessages(claude.working(...claude.GOOD, claude.shell(COMMAND)));
    const openai = await serveResponses(codex.working(codex.GOOD, codex.shell(COMMAND)));
    onTestFinished(async () => void (await Promise.all([anthropic.close(), openai.close()])));
    const programs = ["claude", "codex"].map((name) => relative(agents, realpathSync(join(bin, name))));
    const provider = `model = "gpt-5.5"\nmodel_provider = "scripted"\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${openai.url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\nrequest_max_retries = 0\n`;
    const bench = openBench({
      uid,
      script: "exit 1",
      mode: agent,
      around: "/var/tmp",
      launcher: launcher(uid),
      config: {
        isolation,
        builder: { default_mode: agent },
      },
      files: {
        "home/agents/empty": "",
        "home/.codex/config.toml": provider,
        "home/.claude/settings.json": "{}",
        "home/bin/claude": `#!/bin/sh\nexec "$HOME/agents/${programs[0]}" "$@"\n`,
        "home/bin/codex": `#!/bin/sh\nexec "$HOME/agents/${programs[1]}" "$@"\n`,
      },
      env: (box) => ({
        PATH: `${join(box, "home/bin")}:${process.env["PATH"] ?? ""}`,
        OPENAI_API_KEY: "sk-worthless",
        ANTHROPIC_BASE_URL: anthropic.url,
        ANTHROPIC_API_KEY: "sk-ant-worthless",
      }),
    });
    const { report, printed } = await bench.run();
    expect(report).toMatchObject({ code: "SUCCESS", sandbox: "bubblewrap", isolation });
    expect(bench.read("home/repo/src/new.ts")).toBe("new\n");
    expect(bench.read("home/repo/src/main.ts")).toContain("42");
    expect(printed).not.toContain("the secret");
    expect(bench.has("home/outside")).toBe(false);
  });
});
