/** The answers of `relais eject`. */
import type { MadeFile } from "./made-file.ts";

export interface ShippedFile {
  readonly name: string;
  /** From the root of the repository. */
  readonly path: string;
  /** Whether the workspace has its own, which counts then. */
  readonly isEjected: boolean;
}

export interface EjectedFile {
  readonly kind: "ejected";
  readonly path: string;
  readonly files: readonly MadeFile[];
}

export interface ShippedFiles {
  readonly kind: "listed";
  readonly files: readonly ShippedFile[];
}
