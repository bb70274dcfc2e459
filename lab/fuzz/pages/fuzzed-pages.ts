/** `relais ui` in this process, for a repository with one kept change. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PageLink, servePages } from "../../../src/page/serve-pages.ts";

export interface FuzzedPages {
  readonly port: number;
  readonly token: string;
  readonly key: string;
  readonly journal: string;
  /** Puts the real names in the places of PORT, TOKEN, KEY, REPO and RUN, and then of LENGTH. */
  readonly fill: (text: string) => string;
  readonly close: () => Promise<void>;
}

const CONFIG = {
  sandbox: "off",
  roles: { builder: { driver: "command" } },
  builder: { default_mode: "command", command: { command: "sh", args: ["-c", "echo 1 > src/a.txt"] } },
  verification: { templates: [{ id: "check", cmd: "true", args: [] }] },
};

export async function openFuzzedPages(): Promise<FuzzedPages> {
  const box = mkdtempSync(join(tmpdir(), "relais-fuzz-"));
  const root = join(box, "repo");
  const environment = {
    PATH: process.env["PATH"] ?? "",
    HOME: box,
    XDG_STATE_HOME: join(box, "state"),
    XDG_CONFIG_HOME: join(box, "config"),
    GIT_CONFIG_SYSTEM: "/dev/null",
  };
  const run = (file: string, ...args: readonly string[]): void =>
    void execFileSync(file, args, { cwd: root, env: environment, stdio: "ignore" });
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(box, ".gitconfig"), "[user]\nname = A\nemail = a@example.invalid\n");
  writeFileSync(join(root, "src/a.txt"), "0\n");
  writeFileSync(join(root, "relais.config.json"), JSON.stringify(CONFIG));
  run("git", "init", "-q", "-b", "topic");
  run("git", "add", "--all");
  run("git", "commit", "-qm", "base");
  run(process.execPath, join(process.cwd(), "scripts/run.mjs"), join(process.cwd(), "src/bin.ts"), "run", "count");
  const [repository = ""] = readdirSync(join(box, "state/relais")).filter((name) => name.startsWith("repo-"));
  const journal = join(box, "state/relais", repository, "journal.jsonl");
  const runId = /"run_id":"(?<id>[^"]+)"/u.exec(readFileSync(journal, "utf8"))?.groups?.["id"] ?? "";
  const over = new AbortController();
  const player = [process.execPath] as const;
  let served: Promise<unknown> = Promise.resolve();
  const { url, onceUrl, port } = await new Promise<PageLink>((onOpen, reject) => {
    const ways = { port: 0, isReadOnly: false, idleSeconds: 0, version: "fuzz", withPreflight: false, player };
    served = servePages({ ...ways, cwd: root, environment, signal: over.signal, onOpen });
    served.catch(reject);
  });
  const [token, key] = [url, onceUrl].map((one) => one.slice(one.lastIndexOf("=") + 1));
  const names = { PORT: String(port), TOKEN: token ?? "", KEY: key ?? "", REPO: repository, RUN: runId };
  return {
    port,
    token: names.TOKEN,
    key: names.KEY,
    journal,
    fill: (text) => {
      const filled = Object.entries(names).reduce((so, [name, value]) => so.replaceAll(name, value), text);
      return filled.replaceAll("LENGTH", String(filled.length - filled.indexOf("\r\n\r\n") - 4));
    },
    close: async () => {
      over.abort();
      await served;
      rmSync(box, { recursive: true, force: true });
    },
  };
}
