/** The painter on a terminal emulator: after anything that happens, the screen shows the last block and what was printed. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPainter } from "../../src/terminal/painter.ts";
import { testScreen, type TestScreen } from "../support/screen.ts";

const BEGIN = "\u001B[?2026h\u001B[?25l";
const END = "\u001B[?25h\u001B[?2026l";

function opened(columns: number, rows: number) {
  const screen = testScreen(columns, rows);
  return { screen, painter: createPainter(screen) };
}

describe("one thing after the other", () => {
  test("a block is drawn below what was printed, and the cursor rests below it", async () => {
    const { screen, painter } = opened(20, 6);
    screen.write("$ relais loop\r\n");
    painter.draw(["one", "two"]);
    await screen.settled();
    expect(screen.shown()).toEqual(["$ relais loop", "one", "two"]);
    expect(screen.cursor()).toEqual({ column: 0, row: 3, isVisible: true });
  });

  test("only what changed is written, and nothing where nothing did", () => {
    const { screen, painter } = opened(20, 6);
    painter.draw(["title", "step 1", "rest"]);
    painter.draw(["title", "step 2", "rest"]);
    painter.draw(["title", "step 2", "rest"]);
    expect(screen.writes).toHaveLength(2);
    expect(screen.writes[1]).toContain("step 2");
    expect(screen.writes[1]).not.toMatch(/title|rest/);
  });

  test("each change is one write between the marks, and no write clears the screen or takes another one", async () => {
    const { screen, painter } = opened(20, 6);
    painter.draw(["one", "two"]);
    painter.print("printed\n");
    await screen.resize(12, 4);
    painter.draw(["three"]);
    painter.erase();
    expect(screen.writes).toHaveLength(4);
    for (const text of screen.writes) {
      expect([text.startsWith(BEGIN), text.endsWith(END)]).toEqual([true, true]);
      expect(text).not.toMatch(/\[[23]J|\[H|\?1049|\?47|\[\d*;\d*r/);
    }
  });

  test("a line as wide as the terminal keeps its last character, and so does a printed one", async () => {
    const { screen, painter } = opened(10, 8);
    painter.draw(["0123456789", "b"]);
    painter.print("abcdefghij\nABCDEFGHIJKLMNOPQRST\n");
    painter.draw(["9876543210", "b"]);
    await screen.settled();
    expect(screen.all()).toEqual(["abcdefghij", "ABCDEFGHIJKLMNOPQRST", "9876543210", "b"]);
    // Many terminals take "erase to the end of the line" behind the last column for that column.
    expect(screen.writes.join("")).not.toMatch(/[9jT0]\p{Cc}\[K/u);
  });

  test("what others print while it is drawn stays above it", async () => {
    const { screen, painter } = opened(30, 8);
    painter.draw(["block", "of two"]);
    painter.aside(() => screen.write("relais: warning\r\n"));
    await screen.settled();
    expect(screen.shown()).toEqual(["relais: warning", "block", "of two"]);
  });

  test("what is typed meanwhile is gone with the next change", async () => {
    const { screen, painter } = opened(30, 8);
    painter.draw(["block 1"]);
    screen.write("^C");
    painter.draw(["block 2"]);
    await screen.settled();
    expect(screen.shown()).toEqual(["block 2"]);
  });

  test("it is never taller than the terminal, whatever it is given", async () => {
    const { screen, painter } = opened(10, 4);
    screen.write("before\r\n");
    painter.draw(["1", "2", "3", "4", "5", "6"]);
    painter.draw(["1", "2", "3", "4", "5", "7"]);
    await screen.settled();
    expect(screen.all()).toEqual(["before", "1", "2", "3"]);
  });

  test("colours are not counted as width", async () => {
    const { screen, painter } = opened(8, 6);
    const dressed = "\u001B[32mgreen\u001B[39m \u001B[1mok\u001B[22m";
    painter.draw([dressed, "x"]);
    painter.draw([dressed, "y"]);
    await screen.settled();
    expect(screen.shown()).toEqual(["green ok", "y"]);
  });
});

type Deed =
  | { readonly kind: "draw"; readonly lines: readonly string[] }
  | { readonly kind: "print"; readonly text: string }
  | { readonly kind: "resize"; readonly columns: number; readonly rows: number };

const word = (prefix: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom("a", "b", "-", "_", "x"), maxLength }).map((text) => `${prefix}${text}.`);
const draw = fc.record({
  kind: fc.constant("draw" as const),
  lines: fc.array(word("#", 60), { minLength: 0, maxLength: 12 }),
});
const print = fc.record({
  kind: fc.constant("print" as const),
  text: word("=", 70).map((text) => `${text}\n`),
});
const size = (rows: fc.Arbitrary<number>): fc.Arbitrary<Deed> =>
  fc.record({ kind: fc.constant("resize" as const), columns: fc.integer({ min: 8, max: 70 }), rows });

const isBlock = (line: string): boolean => line.startsWith("#");

/** Does one thing after the other and looks each time. A new size is followed by a drawing, as it is in a process. */
async function play(deeds: readonly Deed[], rows: number, look: (seen: Seen) => void): Promise<void> {
  const { screen, painter } = opened(60, rows);
  const printed: string[] = [];
  let wanted: readonly string[] = [];
  const fitted = (): readonly string[] =>
    wanted.slice(0, screen.size().rows - 1).map((line) => line.slice(0, screen.size().columns));
  for (const deed of deeds) {
    if (deed.kind === "resize") await screen.resize(deed.columns, deed.rows);
    if (deed.kind === "draw") wanted = deed.lines;
    if (deed.kind === "print") {
      painter.print(deed.text);
      printed.push(deed.text.trimEnd());
    } else painter.draw(fitted());
    await screen.settled();
    look({ screen, printed, block: fitted() });
  }
  painter.erase();
  await screen.settled();
  look({ screen, printed, block: [] });
}

interface Seen {
  readonly screen: TestScreen;
  readonly printed: readonly string[];
  readonly block: readonly string[];
}

test("at one height and any width, the terminal holds what was printed, then the block, and nothing else", async () => {
  const deeds = fc.array(fc.oneof(draw, print, size(fc.constant(14))), { maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(deeds, (list) =>
      play(list, 14, ({ screen, printed, block }) => {
        // What a narrower terminal pushed out before it could be drawn again stays in its history.
        const kept = screen.all().filter((line, index, all) => !isBlock(line) || index >= all.length - block.length);
        expect(kept.map((line) => line.trimEnd())).toEqual([...printed, ...block].map((line) => line.trimEnd()));
        expect(screen.cursor()).toMatchObject({ column: 0, isVisible: true });
      }),
    ),
    { numRuns: 80 },
  );
}, 60_000);

test("at any size, the screen shows the block once and nothing of an older one", async () => {
  const deeds = fc.array(fc.oneof(draw, print, size(fc.integer({ min: 2, max: 16 }))), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(deeds, (list) =>
      play(list, 10, ({ screen, block }) => {
        const shown = screen.shown();
        const { row, column, isVisible } = screen.cursor();
        expect({ column, isVisible }).toEqual({ column: 0, isVisible: true });
        expect(shown.slice(row - block.length, row)).toEqual(block.map((line) => line.trimEnd()));
        expect(shown.slice(row)).toEqual([]);
        // A terminal that becomes taller brings back what it had pushed out, above what was printed since.
        const above = shown.slice(0, row - block.length);
        expect(above.slice(above.findLastIndex((line) => !isBlock(line)) + 1)).toEqual([]);
      }),
    ),
    { numRuns: 80 },
  );
}, 60_000);

test("at any size and back, nothing that was printed is lost", async () => {
  const any = fc.record({
    kind: fc.constant("resize" as const),
    columns: fc.integer({ min: 2, max: 120 }),
    rows: fc.integer({ min: 2, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(draw, print, any), { maxLength: 14 }), (list) =>
      play(list, 10, ({ screen, printed }) => {
        expect(screen.all().filter((line) => line.startsWith("="))).toEqual(printed);
      }),
    ),
    { numRuns: 80 },
  );
}, 60_000);
