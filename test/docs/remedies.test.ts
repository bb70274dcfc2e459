/** Every command that relais tells a person to type parses and is tried somewhere; one that nobody tries is missed here. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandFault } from "../support/doc-commands.ts";
import { listRemedyCommands } from "../support/remedy-commands.ts";
import { ELSEWHERE, NAMED, TYPED } from "../support/remedy-table.ts";

const found = listRemedyCommands();
const typed: readonly string[] = Object.values(TYPED).flat(2);

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

test.each(Object.entries(ELSEWHERE))("`%s` is typed by %s", (command, file) => {
  const text = readFileSync(join(import.meta.dirname, "..", file.includes(".") ? file : `${file}.test.ts`), "utf8");
  // The way in which the document of an answer is asked for belongs to each test.
  const words = command.split(" ").filter((word) => /^(?:[a-z]+|--(?!json)[a-z-]+)$/u.test(word));
  expect(text).toMatch(new RegExp(words.slice(1).join(String.raw`[^\n]{0,80}`), "iu"));
});
