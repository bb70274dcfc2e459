/** What is shown at the bottom of the terminal while a command goes on, and is in the way of everything that is printed. */
interface Block {
  /** Prints lines that stay, above the block. */
  readonly print: (text: string) => void;
  /** Lets somebody else print lines that stay. */
  readonly aside: (print: () => void) => void;
  /** Takes the block away until the returned function is called. */
  readonly pause: () => () => void;
  /** Takes the block away for good. */
  readonly close: () => void;
}

interface Output {
  readonly out: (text: string | Uint8Array) => void;
  readonly err: (text: string) => void;
}

export interface Stage extends Output {
  /** The output itself, for the painter of the block. */
  readonly raw: (text: string) => void;
  readonly show: (block: Block) => void;
  /** Takes away whatever is shown. */
  readonly clear: () => void;
  /** Lets another program have the terminal. What is printed meanwhile comes afterwards. */
  readonly lend: (use: () => Promise<void>) => Promise<void>;
  /** Waits until nobody else has the terminal. */
  readonly untilReturned: () => Promise<void>;
}

export function createStage({ out, err }: Output): Stage {
  let shown: Block | null = null;
  let lent: Promise<void> | null = null;
  const late: (() => void)[] = [];
  const print = (write: () => void): void => {
    if (lent === null) write();
    else late.push(write);
  };
  const lend = async (use: () => Promise<void>): Promise<void> => {
    const block = shown;
    const resume = block?.pause();
    try {
      await use();
    } finally {
      lent = null;
      for (const write of late.splice(0)) write();
      if (shown === block) resume?.();
    }
  };
  return {
    out: (text) => print(() => (shown === null || typeof text !== "string" ? out(text) : shown.print(text))),
    err: (text) => print(() => (shown === null ? err(text) : shown.aside(() => err(text)))),
    raw: out,
    show: (block) => {
      shown = block;
    },
    clear: () => {
      const block = shown;
      shown = null;
      block?.close();
    },
    lend: async (use) => {
      await lent;
      lent = lend(use);
      await lent;
    },
    untilReturned: async () => {
      await lent?.catch(() => {});
    },
  };
}
