import { execFileSync, spawn } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type KnownFamily, closeFamily } from "../../src/process/supervise-family.ts";
import { findProcessStart, listLivingProcesses, parsePs, PS_COLUMNS } from "../../src/process/process-table.ts";
import { parseProcStat } from "../../src/process/proc-stat.ts";
import { runs } from "../support/runs.ts";

const tail = "1 4242 77 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 2 3";

test.each([
  ["a plain name", `4242 (sh) S ${tail}`, false],
  ["a name with spaces and parentheses", `4242 (a) Z 1 (b c)) R ${tail}`, false],
  ["a name with a newline", `4242 (a\n) b) D ${tail}`, false],
  ["a zombie", `4242 (gone) Z ${tail}`, true],
  ["a dead one", `4242 (gone) X ${tail}\n`, true],
])("a stat line with %s is read from the right", (_name, line, ended) => {
  expect(parseProcStat(line)).toEqual({ pid: 4242, parent: 1, session: 77, start: "987654", ended });
});

test("what is not a whole stat line is nothing", () => {
  expect(["", "4242", "4242 (sh) S 1 2 3"].map(parseProcStat)).toEqual([null, null, null]);
});

test("the lines of ps are read, with every shape of command and date", () => {
  const output = [
    "    1     0     1 Ss   Mon Nov  3 09:00:01 2025     /sbin/launchd",
    "  501     1   501 S+   Wed Nov 12 23:59:59 2025     /bin/zsh -l HOME=/Users/a RELAIS_SESSION=abc:def",
    "99998   501   501 Z    Wed Nov 12 23:59:59 2025     (git)",
    "99999   501 99999 U    Thu Jan  1 00:00:00 1970     node -e a",
    "continued on a line of its own 12 34 56",
    " 700 1 700 S Thu Jan 1 00:00:00 1970",
    "",
  ].join("\n");
  expect(parsePs(output)).toEqual([
    { pid: 1, parent: 0, group: 1, start: "Mon Nov 3 09:00:01 2025", ended: false, text: "/sbin/launchd" },
    {
      pid: 501,
      parent: 1,
      group: 501,
      start: "Wed Nov 12 23:59:59 2025",
      ended: false,
      text: "/bin/zsh -l HOME=/Users/a RELAIS_SESSION=abc:def",
    },
    { pid: 99998, parent: 501, group: 501, start: "Wed Nov 12 23:59:59 2025", ended: true, text: "(git)" },
    {
      pid: 99999,
      parent: 501,
      group: 99999,
      start: "Thu Jan 1 00:00:00 1970",
      ended: false,
      text: "node -e a",
    },
    { pid: 700, parent: 1, group: 700, start: "Thu Jan 1 00:00:00 1970", ended: false, text: "" },
  ]);
});

test("the ps of this machine prints what is read", () => {
  const env = { ...process.env, LC_ALL: "C" };
  const output = execFileSync("ps", ["-axww", "-o", PS_COLUMNS], { encoding: "utf8", env });
  const own = parsePs(output).find(({ pid }) => pid === process.pid);
  expect(own).toMatchObject({ parent: process.ppid, ended: false });
  expect(own?.start).toMatch(/^\w{3} \w{3} \d{1,2} \d\d:\d\d:\d\d \d{4}$/);
});

test("the table shows a process with its parent, its start and its marker, and forgets it when it has ended", async () => {
  const child = spawn("sleep", ["60"], {
    env: { ...process.env, MARK: "relais-test-marker" },
    detached: true,
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const entryOf = async (marker: string) =>
    [...(await listLivingProcesses(marker))].find(({ pid }) => pid === child.pid);
  try {
    await expect.poll(async () => (await entryOf("relais-test-marker"))?.isMarked()).toBe(true);
    const entry = await entryOf("another marker");
    expect(entry).toMatchObject({ parent: process.pid, session: child.pid });
    expect(entry?.isMarked()).toBe(false);
    expect(entry?.command()).toBe("sleep 60");
    expect(await findProcessStart(child.pid ?? 0)).toBe(entry?.start);
    const [own] = [...(await listLivingProcesses(null))].filter(({ pid }) => pid === process.pid);
    expect(entry?.startOrder).toBeGreaterThanOrEqual(own?.startOrder ?? Number.POSITIVE_INFINITY);
  } finally {
    child.kill("SIGKILL");
    await ended;
  }
  expect(await entryOf("relais-test-marker")).toBeUndefined();
  expect(await findProcessStart(child.pid ?? 0)).toBeNull();
});

const relation = fc.record({
  pid: fc.integer({ min: 2, max: 12 }),
  parent: fc.integer({ min: 1, max: 12 }),
  session: fc.integer({ min: 1, max: 12 }),
  start: fc.constantFrom("10", "20"),
});
type Entry = { pid: number; parent: number; session: number; start: string };

/** One more member at a time, for as long as there is one. */
function closeNaively(entries: readonly Entry[], foreign: ReadonlySet<number>, known: KnownFamily): Entry[] {
  const members: Entry[] = [];
  for (;;) {
    const next = entries.find(
      (entry) =>
        !members.includes(entry) &&
        (known.members.get(entry.pid) === entry.start ||
          known.sessions.has(entry.session) ||
          members.some(
            ({ pid, session }) => pid === entry.parent || (session === entry.session && !foreign.has(session)),
          )),
    );
    if (next === undefined) return members;
    members.push(next);
  }
}

test("a family is every process tied to it by descent or session, and nobody else", () => {
  const entries = fc.uniqueArray(relation, { selector: ({ pid }) => pid, maxLength: 11 });
  const session = fc.integer({ min: 1, max: 12 });
  const seeds = fc.record({
    members: fc.array(fc.tuple(fc.integer({ min: 2, max: 12 }), fc.constantFrom("10", "20")), {
      maxLength: 3,
    }),
    sessions: fc.array(session, { maxLength: 1 }),
    foreign: fc.array(session, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(entries, seeds, (table, seed) => {
      const known = { members: new Map(seed.members), sessions: new Set(seed.sessions) };
      const foreign = new Set(seed.foreign.filter((id) => !known.sessions.has(id)));
      const expected = closeNaively(table, foreign, known);
      const family = closeFamily({ entries: table, foreignSessions: foreign }, known);
      expect([...family.members].toSorted(([a], [b]) => a - b)).toEqual(
        expected.map(({ pid, start }) => [pid, start] as const).toSorted(([a], [b]) => a - b),
      );
      const sessions = expected.map((member) => member.session).filter((id) => !foreign.has(id));
      expect(family.sessions).toEqual(new Set(sessions));
    }),
    runs(2000),
  );
});
