/** The checker of documents finds what is planted, and nothing in what is right. */
import { expect, test } from "vitest";
import { commandFault } from "../support/doc-commands.ts";
import { docFaults } from "../support/doc-faults.ts";

const FILES: Readonly<Record<string, string>> = {
  "docs/other.md": "# Other\n\n## Two words, here\n\n## Twice\n\n## Twice\n\n```sh\n# not a heading\n```\n",
  "src/main.ts": "",
  "src/core/": "",
};
const WORLD = {
  read: (path: string) => FILES[path] ?? null,
  keys: new Set([
    "loop",
    "loop.on_stop",
    "roles",
    "roles.builder",
    "roles.builder.model",
    "list",
    "list[].id",
    "ignored",
  ]),
  codes: new Set(["STOP_UNSAFE_PATH", "BLOCKED_LOCK_HELD"]),
  scripts: new Set(["build", "test:full"]),
};
const faults = (text: string) => docFaults({ path: "docs/page.md", text }, WORLD);

test("a page that is right has no faults", () => {
  const page = [
    "# Page",
    "[a](other.md), [b](other.md#two-words-here), [c](other.md#twice-1), [d](#page), [e](../src/main.ts), [f](https://x.org/y)",
    "`src/main.ts`, `src/core/`, `src/**`, `test/<class>/x.ts`, `loop.on_stop: continue`, `roles.<role>.model`, `list[].id`, `loop.md`",
    "`relais judge --staged`, `relais run --task`, `relais history diff \\| git apply`, STOP_UNSAFE_PATH, a `BLOCKED_` code, `{{BLOCKED_JSON}}`",
    "`npm run build`, `npm run test:full -- x`, `not_ours.at_all`",
    "```sh\nrelais loop --max-ticks 5   # five\nX=1 relais status > ../out 2>&1 || echo relais nonsense\n```",
    "```\n  relais accept  commit exactly this\n  relais     not a command\n```",
    '```json\n{ "relais": "relais nonsense" }\n```',
  ].join("\n\n");
  expect(faults(page)).toEqual([]);
});

test.each([
  ["[a](missing.md)", "the link missing.md leads nowhere"],
  ["[a](other.md#nothing)", "docs/other.md has no heading #nothing"],
  ["[a](other.md#not-a-heading)", "docs/other.md has no heading #not-a-heading"],
  ["[a](other.md#twice-2)", "docs/other.md has no heading #twice-2"],
  ["[a](#elsewhere)", "docs/page.md has no heading #elsewhere"],
  ["`src/gone.ts`", "there is no src/gone.ts"],
  ["`src/gone/`", "there is no src/gone/"],
  ["`loop.on_halt`", "there is no key loop.on_halt"],
  ["`loop.on_halt: continue`", "there is no key loop.on_halt"],
  ["`lopo.on_stop`", "there is no key lopo.on_stop"],
  ["`roles.<role>.colour`", "there is no key roles.<role>.colour"],
  ["It ends with STOP_UNSAFE_PATHS.", "there is no code STOP_UNSAFE_PATHS"],
  ["`BLOCKED_LOCK`", "there is no code BLOCKED_LOCK"],
  ["`npm run bulid`", "there is no npm script bulid"],
  ["`relais jugde`", "there is no command jugde"],
  ["over two lines `relais\njugde`", "there is no command jugde"],
  ["`relais judge --stagd`", "relais judge: there is no option --stagd; did you mean --staged?"],
  ["```sh\ncd x && relais tree rnu\n```", "relais tree knows no rnu"],
  ["```sh\nrelais run --task\n```", "relais run: the option --task needs a value: --task FILE"],
  ["```console\n$ relais undo now\n```", "relais undo takes 0 arguments at most"],
  ["```\nrelais dashboard\n```", "there is no command dashboard"],
  ["```sh\ntmux new 'relais lop'\n```", "there is no command lop"],
  ["```ini\nExecStart=/usr/bin/env relais lop\n```", "there is no command lop"],
  ["```text\n30 22 * * 1-5 cd x && relais lop\n```", "there is no command lop"],
])("%j is found", (planted, fault) => {
  expect(faults(planted)).toEqual([`docs/page.md: ${fault}`]);
});

test.each([
  "relais",
  "relais --version",
  "relais COMMAND --help",
  'relais goal "make it so" --max-turns 4',
  "relais goal <objective> [--criteria FILE] [--quorum 2]",
  "relais campaign run SLUG [--mode agent|tmux]",
  "relais history [show|diff] [RUN]",
  "relais demo tick",
  "relais explain CODE",
  'relais answer "..."',
  "git diff main topic | relais run --patch - --dry-run",
  "cat relais nonsense",
])("%s can be typed", (line) => {
  expect(commandFault(line)).toBeNull();
});

test.each([
  ["relais campaign start x", "relais campaign knows no start"],
  ["relais demo everything", "relais demo knows no everything"],
  ["relais explain STOP_NOTHING", "relais explain knows no STOP_NOTHING"],
  ["relais goal finish", "relais goal knows no finish"],
  ["relais --colour never", "there is no option --colour; did you mean --color?"],
  ["true; relais nope", "there is no command nope"],
])("%s cannot", (line, fault) => {
  expect(commandFault(line)).toBe(fault);
});
