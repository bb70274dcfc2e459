/** The way on is tried: what relais tells a person to type succeeds in a world prepared for it. */
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TYPED } from "../support/remedy-table.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { executable } from "../support/relais.ts";
import { sentenceWorld, type SentenceWorld } from "../support/sentence-world.ts";

const SENTENCE = "greet the world";
const FILE = "a.patch";

interface Prepared {
  readonly world: SentenceWorld;
  /** What stands for `${}`, RUN, NAME and the like. */
  readonly fill?: string | readonly string[];
}

interface Options {
  readonly does?: string;
  readonly check?: string;
  readonly config?: object;
}

/** Its check passes once the greeting has an exclamation mark. */
function open({ does = "echo '// world' >> src/greet.js", check = "true", config = {} }: Options = {}): SentenceWorld {
  const verification = { templates: [{ id: "verify", cmd: "sh", args: ["-c", check] }] };
  const builder = { default_mode: "claude_code" };
  const files = { "relais.config.json": JSON.stringify({ verification, builder, ...config }) };
  return sentenceWorld({ agents: { claude: "in" }, files, does });
}

async function prepare(options: Options, ...args: readonly string[]): Promise<Prepared> {
  const world = open(options);
  const { document } = await world.ask("run", SENTENCE, ...args);
  return { world, fill: readId(document) };
}

function readId(document: unknown): string {
  return typeof document === "object" && document !== null && "run_id" in document ? String(document.run_id) : "";
}

/** A branch with one more change of the same file. */
function openDiverged(): SentenceWorld {
  const world = open();
  world.git("switch", "--quiet", "--create", "other");
  world.commit({ "src/greet.js": "export const greeting = 'hello';\n" });
  world.git("switch", "--quiet", "topic");
  return world;
}

const RED = {
  check: "! grep -q red src/greet.js",
  does: 'test "$n" = 0 && echo "// red" >> src/greet.js || echo "// mended" > src/greet.js',
};
const HELD = { does: "echo '// eslint-disable-next-line' >> src/greet.js" };

const GIVEN_BACK = { summary: "s", files_intended: [], commands_ran: [], notes: [], outcome: "cannot", evidence: "e" };

const WORLDS = {
  /** Nobody has run `init`. */
  fresh: async () => ({ world: sentenceWorld({ agents: { claude: "in" } }), fill: "builder.user.txt" }),
  planted: async () => {
    const { world } = await prepare({}, "--commit");
    await world.relais("tree", "init");
    return { world };
  },
  kept: () => prepare({}),
  reverted: () => prepare(RED, "--repairs", "0"),
  held: () => prepare(HELD),
  /** What made its check fail is gone. */
  mended: async () => {
    const does = 'echo "// world" >> src/greet.js; : > "${0%/*}/red"';
    const prepared = await prepare({ does, check: '! test -f "$HOME/bin/red"' }, "--repairs", "0");
    rmSync(join(prepared.world.box, "bin/red"));
    return prepared;
  },
  merged: async () => {
    const { world } = await prepare({}, "--commit");
    world.git("branch", "other");
    return { world, fill: "other" };
  },
  diverged: async () => ({ world: openDiverged(), fill: "other" }),
  behind: async () => {
    const world = openDiverged();
    world.git("switch", "--quiet", "--force-create", "main", "topic");
    world.git("branch", "--force", "topic", "other");
    return { world };
  },
  branched: async () => ({ world: openDiverged(), fill: ["topic", "other"] }),
  named: async () => ({ world: open(), fill: ["new", "HEAD"] }),
  commit: async () => {
    const { world } = await prepare({}, "--commit");
    return { world, fill: world.git("rev-parse", "HEAD") };
  },
  asked: async () => {
    const world = sentenceWorld({ agents: { codex: "in" }, answers: [GIVEN_BACK] });
    await world.ask("run", SENTENCE);
    return { world };
  },
  dirty: async () => {
    const world = open();
    world.put({ "src/mine.js": "mine\n" });
    return { world };
  },
  stashed: async () => {
    const world = open();
    world.put({ "src/mine.js": "mine\n" });
    world.git("stash", "--include-untracked", "--quiet");
    return { world };
  },
  patch: async () => {
    const world = open();
    world.put({ "src/greet.js": "export const greeting = 'hello';\n" });
    writeFileSync(join(world.root, "..", FILE), `${world.git("diff")}\n`);
    world.git("checkout", "--quiet", ".");
    return { world, fill: `../${FILE}` };
  },
  spent: async () => {
    const { world } = await prepare({ config: { budgets: { per_milestone: { max_ticks: 1 } } } }, "--commit");
    return { world };
  },
  tried: async () => ({ world: open() }),
  merging: async () => {
    const world = openDiverged();
    world.git("merge", "--quiet", "--no-commit", "--no-ff", "other");
    return { world, fill: "merge" };
  },
  bisecting: async () => {
    const { world } = await prepare({}, "--commit");
    world.git("bisect", "start");
    return { world };
  },
} satisfies Readonly<Record<keyof typeof TYPED, () => Promise<Prepared>>>;

const LINES = Object.entries(WORLDS).flatMap(([name, prepareWorld]) =>
  (Object.entries(TYPED).find(([other]) => other === name)?.[1] ?? []).map((commands) => ({
    name,
    commands,
    prepareWorld,
  })),
);

test.concurrent.each(LINES)("in a world that is $name, $commands succeed", async ({ commands, prepareWorld }) => {
  const prepared: Prepared = await prepareWorld();
  for (const command of commands)
    expect([command, await type(prepared, command)]).toMatchObject([command, { status: 0 }]);
});

/** relais is in this process, all else in a shell. */
async function type(
  { world, fill = "STOP_NO_CHANGE" }: Prepared,
  command: string,
): Promise<{ readonly status: number | null }> {
  const fills = [fill].flat();
  const line = command.replaceAll(
    /\$\{\}|<[^>]*>|\b(?:RUN|NAME|BRANCH|FILE)\b/gu,
    () => (fills.length > 1 ? fills.shift() : fills[0]) ?? "",
  );
  if (/[|<]/u.test(line) || line.startsWith("git ")) return { status: runInShell(world, line) };
  const words = [...line.matchAll(/"(?<quoted>[^"]*)"|(?<plain>\S+)/gu)].map(
    ({ groups }) => groups?.["quoted"] ?? groups?.["plain"] ?? "",
  );
  return world.relais(...words.slice(1));
}

/** The program `relais` of the line is the executable that was built. */
function runInShell({ root, box }: SentenceWorld, line: string): number {
  const shell = `relais() { '${process.execPath}' '${executable}' "$@"; }; ${line}`;
  const env = { ...gitEnvironment(box), XDG_STATE_HOME: join(box, "state"), GIT_EDITOR: ":" };
  execFileSync("/bin/sh", ["-c", shell], { cwd: root, stdio: "pipe", env });
  return 0;
}
