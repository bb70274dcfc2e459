/**
 * Commands behind a wrapper: `timeout 60 ./check.sh` runs the script, and so do `env A=b`, `sh -c` and `uv run`. Only
 * known wrappers are resolved, with their options that take a value, so that a value is not taken for the command.
 */

interface Wrapper {
  /** Options with a separate value. */
  readonly withValue?: string;
  /** Options whose value is a shell line. */
  readonly withLine?: string;
  readonly operands?: number;
  /** One of these words must come first, if the program can do other things too. */
  readonly after?: string;
}

const RUNS_PYTHON = { after: "run", withValue: "-p --python --with --extra --group --project -n --name -e" };
const RUNS_PACKAGE = { withValue: "-p --package", withLine: "-c --call --shell-mode" };

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  timeout: { withValue: "-k --kill-after -s --signal", operands: 1 },
  gtimeout: { withValue: "-k --kill-after -s --signal", operands: 1 },
  env: { withValue: "-u --unset -C --chdir", withLine: "-S --split-string" },
  "cross-env": {},
  dotenv: { withValue: "-e -v -p" },
  nice: { withValue: "-n --adjustment" },
  ionice: { withValue: "-c --class -n --classdata" },
  chrt: { operands: 1 },
  taskset: { operands: 1 },
  nohup: {},
  setsid: {},
  stdbuf: { withValue: "-i --input -o --output -e --error" },
  unbuffer: {},
  time: { withValue: "-f --format -o --output" },
  sudo: { withValue: "-u --user -g --group -C -D -h -p -T" },
  doas: { withValue: "-u -C" },
  flock: { withValue: "-w --timeout -E", withLine: "-c --command", operands: 1 },
  caffeinate: { withValue: "-t -w" },
  exec: { withValue: "-a" },
  command: {},
  busybox: {},
  "xvfb-run": {
    withValue: "-n --server-num -s --server-args -e --error-file -f --auth-file -p --xauth-protocol -w --wait",
  },
  "dbus-run-session": { withValue: "--config-file --dbus-daemon" },
  xargs: { withValue: "-a -d -E -I -L -n -P -s" },
  npx: RUNS_PACKAGE,
  pnpx: RUNS_PACKAGE,
  bunx: RUNS_PACKAGE,
  npm: { ...RUNS_PACKAGE, after: "exec x" },
  pnpm: { ...RUNS_PACKAGE, after: "exec dlx" },
  yarn: { ...RUNS_PACKAGE, after: "exec dlx" },
  bun: { after: "x run" },
  uv: RUNS_PYTHON,
  uvx: { withValue: "-p --python --with --from" },
  poetry: RUNS_PYTHON,
  pdm: RUNS_PYTHON,
  hatch: RUNS_PYTHON,
  pipenv: RUNS_PYTHON,
  rye: RUNS_PYTHON,
  conda: RUNS_PYTHON,
  bundle: { after: "exec" },
  mise: { after: "exec x" },
  direnv: { after: "exec", operands: 1 },
};

const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh"]);
export const SHELL_LINE = /^-[a-z]*c$/;

export const isShell = (tool: string): boolean => SHELLS.has(tool);

export function listWrappedCommands({ cmd, args }: Command): readonly Command[] {
  const tool = cmd.slice(cmd.lastIndexOf("/") + 1);
  if (isShell(tool)) return readLineAfter(args, (arg) => SHELL_LINE.test(arg));
  const wrapper = Object.hasOwn(WRAPPERS, tool) ? WRAPPERS[tool] : undefined;
  if (wrapper === undefined) return [];
  const own = findOwnArguments(wrapper, args);
  if (own === null) return [];
  const lines = splitWords(wrapper.withLine);
  const line = readLineAfter(own, (arg) => lines.has(arg));
  return line.length > 0 ? line : readAfterOperands(wrapper, own);
}

/** The arguments after the word that makes it a wrapper; null if another word comes first. */
function findOwnArguments({ after }: Wrapper, args: readonly string[]): readonly string[] | null {
  if (after === undefined) return args;
  const place = args.findIndex((arg) => !arg.startsWith("-"));
  return splitWords(after).has(args[place] ?? "") ? args.slice(place + 1) : null;
}

function readAfterOperands({ withValue, operands = 0 }: Wrapper, args: readonly string[]): readonly Command[] {
  const valued = splitWords(withValue);
  const isOperand = (arg: string, place: number): boolean =>
    !arg.startsWith("-") && !valued.has(args[place - 1] ?? "") && !/^[A-Za-z_]\w*=/.test(arg);
  const places = args.flatMap((arg, place) => (isOperand(arg, place) ? [place] : []));
  const [cmd, ...rest] = args.slice(places[operands] ?? args.length);
  return cmd === undefined ? [] : [{ cmd, args: rest }];
}

function readLineAfter(args: readonly string[], isOption: (arg: string) => boolean): readonly Command[] {
  const place = args.findIndex(isOption);
  const line = place < 0 ? undefined : args[place + 1];
  return line === undefined ? [] : listCommands(line);
}

const splitWords = (text = ""): ReadonlySet<string> => new Set(text.split(" ").filter((word) => word !== ""));

export interface Command {
  readonly cmd: string;
  readonly args: readonly string[];
}

/** This is no shell: commands that are built at run time are not seen. */
export function listCommands(text: string): readonly Command[] {
  return text
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .flatMap((line) => line.split(/&&|\|\||[;|()]/))
    .flatMap((part) => {
      const words = part
        .trim()
        .replace(PREFIX, "")
        .split(/\s+/)
        .map(unquote)
        .filter((word) => word !== "" && !BEFORE_A_COMMAND.test(word));
      const [cmd, ...args] = words;
      if (cmd === undefined) return [];
      // An included file is read like a shell script.
      return TAKES_IN.test(cmd) ? args.map((file) => ({ cmd: "sh", args: [file] })) : [{ cmd, args }];
    });
}

const PREFIX = /^[@+-]+/;
const unquote = (word: string): string => word.replace(/^["']/, "").replace(/["']$/, "");
/** Words that include another file in a script, a Makefile or a justfile. */
const TAKES_IN = /^(?:\.|source|s?include|import\??)$/;
/** Variables of one command, and words that only start another one. */
const BEFORE_A_COMMAND = /^(?:[A-Za-z_]\w*=.*|exec|env|time|if|then|else|do|!)$/;
