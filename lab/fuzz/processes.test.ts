import assert from "node:assert/strict";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseProcStat } from "../../src/process/proc-stat.ts";
import { parsePs } from "../../src/process/process-table.ts";
import { anyBytes, damaged } from "../../test/support/arbitrary-bytes.ts";
import { fuzz } from "../../test/support/fuzz.ts";
import { PROPERTY_TIMEOUT_MS, runs } from "../../test/support/runs.ts";

const isCount = (value: number): boolean => Number.isInteger(value) && value >= -1;

const PS = ["  1     0     1 Ss   Sun Nov 15 06:25:01 2026 /sbin/init x", " 42 1 42 Z Mon Jan  5 00:00:00 2026"];
const STAT = `42 (a b) c) S 1 42 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 57049088 6495`;

function checkPs(data: Buffer): void {
  for (const { pid, parent, group, start } of parsePs(data.toString("utf8"))) {
    assert([pid, parent, group].every(isCount));
    assert(start.split(" ").length === 5);
  }
}

test(
  "whatever ps prints, only processes come of it",
  async () => {
    const bytes = fc.oneof(damaged([Buffer.from(`${PS.join("\n")}\n`)]), anyBytes);
    expect(await fuzz({ parser: "processes", bytes, runs: 300, check: checkPs })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);

test("a process is seen whatever its arguments are, as long as they are on one line", () => {
  // All that some readers take for the end of a line, but for the one that is.
  const unit = fc.constantFrom("a", " ", "\t", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029", "é", '"');
  const text = fc.string({ unit });
  fc.assert(
    fc.property(text, fc.nat(99_999), (command, pid) => {
      const seen = parsePs(` ${pid} 1 ${pid} S Sun Nov 15 06:25:01 2026 ${command}\n`);
      expect(seen).toMatchObject([{ pid, parent: 1, text: command.trim() }]);
    }),
    runs(300),
  );
});

function checkStat(data: Buffer): void {
  const stat = parseProcStat(data.toString("latin1"));
  if (stat === null) return;
  assert([stat.pid, stat.parent, stat.session].every(isCount));
  assert.match(stat.start, /^(?:\d+|-1)$/);
}

test(
  "whatever a stat line says, numbers come of it or nothing",
  async () => {
    const bytes = fc.oneof(damaged([Buffer.from(STAT)]), anyBytes);
    expect(await fuzz({ parser: "processes", bytes, runs: 300, check: checkStat })).toBeNull();
  },
  PROPERTY_TIMEOUT_MS,
);

test("a program may call itself anything", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", " ", "(", ")", "\n", "é", "1"), maxLength: 15 }), (name) => {
      const seen = parseProcStat(`${STAT.slice(0, 4)}${name}${STAT.slice(STAT.lastIndexOf(")"))}`);
      expect(seen).toMatchObject({ pid: 42, parent: 1, session: 7, start: "987654", ended: false });
    }),
    runs(300),
  );
});
