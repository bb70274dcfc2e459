/** The compiler knows the options of a command by its declaration; `npm run check:types` is what fails here. */
import { expect, test } from "vitest";
import { parseArguments } from "../../src/terminal/arguments.ts";
import { type OptionSpecs, parseTypedOptions } from "../../src/terminal/option-spec.ts";

const SPECS = {
  "dry-run": { type: "flag", help: "" },
  task: { type: "text", value: "FILE", help: "" },
  "max-ticks": { type: "number", min: 1, value: "N", help: "" },
  keep: { type: "number", min: 0, max: 10, value: "N", help: "" },
  allow: { type: "list", value: "GLOB", help: "" },
  mode: { type: "choice", value: "MODE", choices: ["agent", "tmux"], help: "" },
} as const satisfies OptionSpecs;

function read(...args: string[]) {
  const parsed = parseArguments(args, SPECS);
  if (parsed.kind === "misused") throw new Error(parsed.message);
  return parseTypedOptions<typeof SPECS>(parsed.given);
}

test("values have the types of their declarations", () => {
  const options = read("--dry-run", "--task", "t", "--max-ticks=3", "--allow=a", "--allow=b", "--mode=tmux");
  const mode: "agent" | "tmux" | null = options.choice("mode");
  const number: number | null = options.number("max-ticks");
  expect([options.flag("dry-run"), options.text("task"), number, options.list("allow"), mode]).toEqual([
    true,
    "t",
    3,
    ["a", "b"],
    "tmux",
  ]);
  expect([read().flag("dry-run"), read().text("task"), read().number("keep"), read().choice("mode")]).toEqual([
    false,
    null,
    null,
    null,
  ]);
});

test("an option that is not declared, or is declared as another type, does not compile", () => {
  const options = read();
  // @ts-expect-error There is no such flag.
  expect(options.flag("dry-rum")).toBe(false);
  // @ts-expect-error It is a text.
  expect(options.flag("task")).toBe(false);
  // @ts-expect-error It is a number.
  expect(options.text("max-ticks")).toBeNull();
  // @ts-expect-error It is never "browser".
  expect(options.choice("mode") === "browser").toBe(false);
});

test.each([
  [["--max-ticks", "0"], '--max-ticks is a whole number, 1 or more, not "0"'],
  [["--max-ticks", "1e3"], '--max-ticks is a whole number, 1 or more, not "1e3"'],
  [["--keep", "11"], '--keep is a whole number, 0 to 10, not "11"'],
  [["--mode", "browser"], '--mode is agent or tmux, not "browser"'],
  [["--mode", "tmux", "--mode", "agent"], "the option --mode is given twice"],
])("%j is refused when it is parsed", (args, message) => {
  expect(() => read(...args)).toThrow(message);
});
