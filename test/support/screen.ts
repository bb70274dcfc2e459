/** A terminal that exists only in memory, and what somebody would see on it. */
import xterm from "@xterm/headless";

export interface TestScreen {
  readonly write: (text: string) => void;
  /** Everything that was written has arrived. */
  readonly settled: () => Promise<void>;
  readonly size: () => { readonly columns: number; readonly rows: number };
  readonly resize: (columns: number, rows: number) => Promise<void>;
  /** What is on the screen, without the empty rows at its end. */
  readonly shown: () => readonly string[];
  /** The same with everything that was scrolled out; a line that the terminal broke is one line. */
  readonly all: () => readonly string[];
  readonly cursor: () => { readonly column: number; readonly row: number; readonly isVisible: boolean };
  /** What was written, write by write. */
  readonly writes: readonly string[];
}

/** Opens a terminal of this size. */
export function testScreen(columns: number, rows: number): TestScreen {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  const writes: string[] = [];
  let isVisible = true;
  const onCursor = (visible: boolean) => (params: readonly (number | number[])[]) => {
    if (params.includes(25)) isVisible = visible;
    return false;
  };
  terminal.parser.registerCsiHandler({ prefix: "?", final: "h" }, onCursor(true));
  terminal.parser.registerCsiHandler({ prefix: "?", final: "l" }, onCursor(false));
  const settled = (): Promise<void> => new Promise((resolve) => terminal.write("", resolve));
  const lines = (from: number): readonly { readonly text: string; readonly isWrapped: boolean }[] => {
    const { active } = terminal.buffer;
    return Array.from({ length: active.length - from }, (_, index) => {
      const line = active.getLine(from + index);
      return { text: line?.translateToString(true) ?? "", isWrapped: line?.isWrapped ?? false };
    });
  };
  return {
    writes,
    settled,
    write: (text) => {
      writes.push(text);
      terminal.write(text);
    },
    size: () => ({ columns: terminal.cols, rows: terminal.rows }),
    resize: async (cols, height) => {
      await settled();
      terminal.resize(cols, height);
    },
    shown: () => trimmed(lines(terminal.buffer.active.baseY).map(({ text }) => text)),
    all: () => trimmed(joined(lines(0))),
    cursor: () => {
      const { cursorX, cursorY } = terminal.buffer.active;
      return { column: cursorX, row: cursorY, isVisible };
    },
  };
}

function joined(lines: readonly { readonly text: string; readonly isWrapped: boolean }[]): readonly string[] {
  const whole: string[] = [];
  for (const { text, isWrapped } of lines) {
    const last = whole.pop();
    if (isWrapped && last !== undefined) whole.push(`${last}${text}`);
    else whole.push(...(last === undefined ? [] : [last]), text);
  }
  return whole;
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}
