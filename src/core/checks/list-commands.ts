/** A program and its arguments. */
export interface Command {
  readonly cmd: string;
  readonly args: readonly string[];
}

/** Reads the lines of a script or a recipe as commands. It is no shell: what is put together at run time is not seen. */
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
        .map(unquoted)
        .filter((word) => word !== "" && !BEFORE_A_COMMAND.test(word));
      const [cmd, ...args] = words;
      if (cmd === undefined) return [];
      // Each file that is taken in is read as if a shell were given it.
      return TAKES_IN.test(cmd) ? args.map((file) => ({ cmd: "sh", args: [file] })) : [{ cmd, args }];
    });
}

/** What a recipe puts before a command. */
const PREFIX = /^[@+-]+/;
const unquoted = (word: string): string => word.replace(/^["']/, "").replace(/["']$/, "");
/** How a script, a Makefile and a justfile take in another file. */
const TAKES_IN = /^(?:\.|source|s?include|import\??)$/;
/** Variables that are set for one command, and words that only start another one. */
const BEFORE_A_COMMAND = /^(?:[A-Za-z_]\w*=.*|exec|env|time|if|then|else|do|!)$/;
