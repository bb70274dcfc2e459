import { expect, test } from "vitest";
import type { Change } from "../../../src/records/evidence.ts";
import { added, change, findingsOf, side } from "../../support/evidence.ts";

const rulesOf = (subject: Change) => findingsOf("unsafe-path", [subject]).map(({ rule }) => rule);
const ignored = (subject: Change): Change => ({ ...subject, standing: "ignored" });

const setuid = side({ mode: "4755" });
const folder = side({ type: "directory", mode: "0755" });
const sharedFolder = side({ type: "directory", mode: "2775" });

const DANGEROUS: readonly (readonly [string, Change, string])[] = [
  ["a new name with a line break", added("src/a\nb"), "U+000A"],
  ["a new name that is not UTF-8", { ...added(String.raw`src/\xff`), path_base64: "/w==" }, "UTF-8"],
  ["a new empty directory with such a name", added("src/.git", folder), "`.git`"],
  ["a new pipe", added("src/a", side({ type: "fifo" })), "this is a fifo"],
  ["a socket in place of a file", change("src/a", { after: side({ type: "socket" }) }), "this is a socket"],
  ["a new device", added("src/a", side({ type: "device" })), "this is a device"],
  ["a new submodule", added("src/a", side({ type: "gitlink" })), "submodule"],
  ["a removed submodule", change("src/a", { before: side({ type: "gitlink" }), after: null }), "submodule"],
  ["a new setuid file", added("src/a", setuid), "mode is 4755"],
  ["a sticky bit on an old file", change("src/a", { after: side({ mode: "1644" }) }), "mode is 1644"],
  ["a setgid bit on an old directory", change("src/a", { before: folder, after: sharedFolder }), "2775"],
  [
    "a file in place of a setuid link",
    change("src/a", { before: side({ type: "fifo", mode: "4755" }), after: setuid }),
    "4755",
  ],
  ["a new hard link", added("src/a", side({ hard_links: 2 })), "hard-linked"],
  [
    "one more hard link",
    change("src/a", { before: side({ hard_links: 2 }), after: side({ hard_links: 3 }) }),
    "hard-linked",
  ],
  ["a path in another repository", change("src/m/a", { inside_repository: "src/m" }), "`src/m`"],
  ["a new twin of another name", { ...added("src/A"), collides_with: "src/a" }, "`src/a`"],
  ["an entry made unreadable", change("src/a", { made_readable: true }), "unreadable"],
  ["a file that only root can read", change("src/a", { after: side({ mode: "0000" }) }), "mode is 0000"],
  ["a new folder of that kind", added("src/a", { ...folder, mode: "0333" }), "mode is 0333"],
];

test.each(DANGEROUS)("%s is refused", (_, subject, reason) => {
  expect(rulesOf(subject).join()).toContain(reason);
});

const HARMLESS: readonly (readonly [string, Change])[] = [
  ["an old name with a line break", change("src/a\nb")],
  ["the removal of such a name", change("src/a\nb", { after: null })],
  [
    "an old pipe whose mode changed",
    change("src/a", { before: side({ type: "fifo" }), after: side({ type: "fifo", mode: "0600" }) }),
  ],
  ["a setuid file that stays one", change("src/a", { before: setuid, after: { ...setuid, size: 9 } })],
  ["a bit that was taken away", change("src/a", { before: setuid })],
  ["a new directory that inherits its group", added("src/a", sharedFolder)],
  [
    "a file that was hard-linked before",
    change("src/a", { before: side({ hard_links: 2 }), after: side({ hard_links: 2, size: 3 }) }),
  ],
  ["an old name that always had a twin", change("src/a", { collides_with: "src/A" })],
  [
    "a file that nobody could read before",
    change("src/a", { before: side({ mode: "0000" }), after: side({ mode: "0000", size: 9 }) }),
  ],
  ["an executable bit", change("src/a", { after: side({ mode: "0755" }) })],
];

test.each(HARMLESS)("%s is accepted", (_, subject) => {
  expect(rulesOf(subject)).toEqual([]);
});

test("one entry is told every reason", () => {
  expect(rulesOf(added("src/nul", side({ mode: "4755", hard_links: 2 })))).toHaveLength(3);
});

test("among ignored paths only pipes, devices and set-id bits are refused", () => {
  const refused = DANGEROUS.filter(([, subject]) => rulesOf(ignored(subject)).length > 0).map(([title]) => title);
  expect(refused).toEqual([
    "a new pipe",
    "a new device",
    "a new setuid file",
    "a sticky bit on an old file",
    "a setgid bit on an old directory",
    "a file in place of a setuid link",
  ]);
});

test("ignored paths that are declared writable are left alone", () => {
  const pipe = ignored(added("dist/a", side({ type: "fifo" })));
  expect(findingsOf("unsafe-path", [pipe], { ignored_writable_globs: ["dist/**"] })).toEqual([]);
  expect(findingsOf("unsafe-path", [pipe], { ignored_writable_globs: ["out/**"] })).toHaveLength(1);
});
