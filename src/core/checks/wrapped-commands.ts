/**
 * The commands that stand behind another one: `timeout 60 ./check.sh` runs the script, and so do `env A=b`, `sh -c` and
 * `uv run` before it.
 *
 * Only programs that are known for it are seen through. Which of their options have a value is known too, so that the
 * value is not taken for the command, nor an argument of the command for another one.
 */
import { listCommands, type Command } from "./list-commands.ts";

interface Wrapper {
  /** Options whose value is an argument of its own. */
  readonly withValue?: string;
  /** Options whose value is a line of a shell. */
  readonly withLine?: string;
  /** How many arguments come before the command, such as a duration. */
  readonly operands?: number;
  /** Words of which one comes first, where the program can do other things as well. */
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
/** The option after which a shell is given a line instead of a script. */
export const SHELL_LINE = /^-[a-z]*c$/;

export const isShell = (tool: string): boolean => SHELLS.has(tool);

/** What a command starts in its own arguments; nothing where it is no wrapper. */
export function listWrappedCommands({ cmd, args }: Command): readonly Command[] {
  const tool = cmd.slice(cmd.lastIndexOf("/") + 1);
  if (isShell(tool)) return lineAfter(args, (arg) => SHELL_LINE.test(arg));
  const wrapper = Object.hasOwn(WRAPPERS, tool) ? WRAPPERS[tool] : undefined;
  if (wrapper === undefined) return [];
  const own = argumentsOf(wrapper, args);
  if (own === null) return [];
  const lines = words(wrapper.withLine);
  const line = lineAfter(own, (arg) => lines.has(arg));
  return line.length > 0 ? line : afterOperands(wrapper, own);
}

/** What stands behind the word that makes a wrapper of it; null where another one does. */
function argumentsOf({ after }: Wrapper, args: readonly string[]): readonly string[] | null {
  if (after === undefined) return args;
  const place = args.findIndex((arg) => !arg.startsWith("-"));
  return words(after).has(args[place] ?? "") ? args.slice(place + 1) : null;
}

function afterOperands({ withValue, operands = 0 }: Wrapper, args: readonly string[]): readonly Command[] {
  const valued = words(withValue);
  const isOperand = (arg: string, place: number): boolean =>
    !arg.startsWith("-") && !valued.has(args[place - 1] ?? "") && !/^[A-Za-z_]\w*=/.test(arg);
  const places = args.flatMap((arg, place) => (isOperand(arg, place) ? [place] : []));
  const [cmd, ...rest] = args.slice(places[operands] ?? args.length);
  return cmd === undefined ? [] : [{ cmd, args: rest }];
}

/** The commands of the line that follows such an option. */
function lineAfter(args: readonly string[], isOption: (arg: string) => boolean): readonly Command[] {
  const place = args.findIndex(isOption);
  const line = place < 0 ? undefined : args[place + 1];
  return line === undefined ? [] : listCommands(line);
}

const words = (text = ""): ReadonlySet<string> => new Set(text.split(" ").filter((word) => word !== ""));
