/**
 * The way on is tried: every command that relais tells a person to type parses and, in a world prepared for it, succeeds. A
 * command that no world prepares is missed here.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandFault } from "../support/doc-commands.ts";
import { listRemedyCommands } from "../support/remedy-commands.ts";
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
} satisfies Readonly<Record<string, () => Promise<Prepared>>>;

/** The commands that are typed here, by world. Those of one line are typed one after the other; each of them succeeds. */
const TYPED: Readonly<Record<keyof typeof WORLDS, readonly (readonly string[])[]>> = {
  fresh: [
    ["relais init"],
    ["relais init --commit"],
    ["relais init --full"],
    ['relais run "say what to change"'],
    ['relais run "..."'],
    ['relais run "…"'],
    ['relais run "${}"'],
    ["relais eject NAME", "relais eject GOAL.md", "relais eject .gitignore"],
    ["relais status", "relais status --preflight", "relais queue"],
    ["relais completions bash", "relais completions fish", "relais completions zsh", "relais tree init"],
    ["git init", "git branch", "git reflog", "git switch -c NAME", "git switch -c work"],
    ["git switch -c <new branch>"],
  ],
  planted: [["relais tree show", "relais tree validate"]],
  kept: [
    ["relais diff", "relais judge", "relais log", "git diff", "git diff --binary", "git status", "relais accept ${}"],
    ["relais accept"],
    ['relais accept -m "what it does"'],
    ["relais undo"],
  ],
  reverted: [
    ["relais log ${}", "relais events --run ${}", "relais diff ${}", "relais history", "relais history list"],
    ["relais history show", "relais history show ${}", "relais history diff ${}", "relais history replay"],
    ["relais history prune --dry-run", "relais history prune"],
    ["relais salvage", "relais salvage list", "relais salvage show", "relais salvage show ${}", "relais salvage apply"],
    ["relais salvage apply ${}"],
    ["relais fix ${}"],
  ],
  held: [["relais accept RUN"], ["relais reject ${}"], ["relais reject RUN"], ['relais reject ${} --reason "..."']],
  mended: [["relais land ${}"]],
  merged: [["git branch -d ${}"]],
  diverged: [
    ["relais land RUN"],
    ["relais land BRANCH"],
    ["git log HEAD..${}", "git switch ${}"],
    ["git switch <branch>"],
    ["git branch -D ${}"],
  ],
  behind: [["git diff main topic | relais run --patch -"]],
  branched: [["git log ${}..${}", "git switch ${} && git merge ${}"]],
  named: [["git switch -c ${} ${}"]],
  commit: [["git show ${}"]],
  asked: [['relais answer "..."'], ['relais answer "<text>"'], ["relais answer --drop"]],
  dirty: [["git stash -u"], ['relais run "..." --dirty']],
  stashed: [["git stash list", "git stash pop"]],
  patch: [["relais run --patch FILE"], ["relais run --patch - < FILE"], ["git apply FILE"]],
  spent: [["relais milestone next"]],
  tried: [["relais explain ${}", "relais doctor"]],
  merging: [["git ${} --abort"], ["git ${} --continue"]],
  bisecting: [["git bisect reset"]],
};

/** Typed where a world for it is: a loop, a goal, a tree, a campaign, a queue, a server, a crash. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "relais answer": "commands/given-back",
  "relais campaign brainstorm": "commands/campaign-brainstorm",
  "relais campaign clean ${}": "commands/waiting",
  "relais campaign init ${}": "commands/dead-campaigns",
  "relais campaign logs ${}": "commands/campaign-follow",
  "relais campaign run ${} --max-iter N": "commands/dead-campaigns",
  "relais campaign run ${}": "commands/campaign-fix",
  "relais campaign run --mode tmux": "commands/campaign-tmux",
  "relais campaign status ${}": "commands/campaign-fix",
  "relais campaign stop ${}": "commands/campaign-tmux-trouble",
  "relais demo": "commands/demo",
  "relais drill": "drill/drill",
  "relais drill --case ${} --json -v": "commands/json-output",
  "relais drill --all": "commands/drill-more",
  "relais events --follow --json": "commands/events",
  "relais fetch ${}": "jobs/commands",
  'relais goal "..."': "commands/goal",
  'relais goal "<objective>"': "commands/goal",
  "relais goal handoff": "commands/goal",
  "relais goal report": "commands/goal",
  "relais goal resume --max-turns ${}": "commands/goal-turns",
  "relais goal resume --max-turns N": "commands/goal-turns",
  "relais goal resume": "commands/goal-resume",
  "relais goal status": "commands/goal",
  "relais judge --require-proof": "commands/proof",
  "relais log --follow": "commands/log",
  "relais loop": "workflows/loop-ends",
  "relais mcp": "commands/mcp",
  "relais pause": "workflows/loop-pause",
  "relais queue cancel ${}": "jobs/commands",
  "relais queue join FILE": "fleet/serve",
  "relais queue rebuild": "fleet/rebuild",
  "relais queue resume": "fleet/rebuild",
  "relais queue retry ${}": "jobs/commands",
  "relais queue serve": "fleet/cluster",
  "relais queue show ${} --follow": "jobs/commands",
  "relais queue show ${}": "jobs/commands",
  "relais recover --abandon": "commands/recover-lost",
  "relais recover --cwd ${}": "commands/recover",
  "relais recover --yes": "commands/recover-asks",
  "relais recover": "commands/recover",
  "relais resume": "workflows/loop-pause",
  "relais run --task ../${}": "commands/demo",
  "relais run": "commands/milestone",
  "relais status --watch": "commands/status",
  'relais submit run "…"': "jobs/commands",
  "relais tree run": "crash/series.ts",
  "relais ui": "page/ui",
  "relais worker --drain": "jobs/commands",
  "relais worker --unsandboxed": "jobs/commands",
  "relais worker": "jobs/commands",
};

/** Only the name of a command, in a sentence about it: its help is what must be there. */
const NAMED = [
  "relais campaign ${}",
  "relais reject",
  "relais submit task",
  "relais goal",
  "relais land",
  "relais queue invite",
  "relais queue serve --with",
  "git apply",
  "git checkout",
  "git config --global user.email",
  "git config --global user.name",
  "git reset",
  "git revert",
  "git rm --cached",
  "git sparse-checkout add",
  "git switch",
  "git update-index --no-skip-worktree",
];

const found = listRemedyCommands();
const typed = Object.values(TYPED).flat(2);

test("every command that a person is told to type is tried, and nothing is tried that nobody is told", () => {
  const known = [...typed, ...Object.keys(ELSEWHERE), ...NAMED];
  expect(found.size).toBeGreaterThan(120);
  expect([...found.keys()].filter((command) => !known.includes(command))).toEqual([]);
  expect(known.filter((command) => !found.has(command))).toEqual([]);
});

test("each of them can be parsed", () => {
  const whole = [...found.keys()].filter((command) => !NAMED.includes(command));
  const faults = whole.map((command) => [command, commandFault(command.replaceAll("...", "text"))]);
  expect(faults.filter(([, fault]) => fault !== null)).toEqual([]);
});

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

test.each(Object.entries(ELSEWHERE))("`%s` is typed by %s", (command, file) => {
  const text = readFileSync(join(import.meta.dirname, "..", file.includes(".") ? file : `${file}.test.ts`), "utf8");
  // The way in which the document of an answer is asked for belongs to each test.
  const words = command.split(" ").filter((word) => /^(?:[a-z]+|--(?!json)[a-z-]+)$/u.test(word));
  expect(text).toMatch(new RegExp(words.slice(1).join(String.raw`[^\n]{0,80}`), "iu"));
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
