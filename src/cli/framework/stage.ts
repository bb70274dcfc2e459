/** What is shown at the bottom of the terminal while a command goes on, and is in the way of everything that is printed. */
interface Block {
  /** Prints lines that stay, above the block. */
  readonly print: (text: string) => void;
  /** Lets somebody else print lines that stay. */
  readonly aside: (print: () => void) => void;
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
}

export function createStage({ out, err }: Output): Stage {
  let shown: Block | null = null;
  return {
    out: (text) => (shown === null || typeof text !== "string" ? out(text) : shown.print(text)),
    err: (text) => (shown === null ? err(text) : shown.aside(() => err(text))),
    raw: out,
    show: (block) => {
      shown = block;
    },
    clear: () => {
      const block = shown;
      shown = null;
      block?.close();
    },
  };
}
