import type { Environment } from "../base/environment.ts";

/** The width where the terminal does not say. */
const COLUMNS = 100;

interface Width {
  readonly env: Environment;
  /** Of the terminal, where there is one. */
  readonly columns?: number | undefined;
}

/** COLUMNS, as a person set it, counts before the width of the terminal. */
export function countColumns({ env, columns }: Width): number {
  const asked = Number(env["COLUMNS"] ?? "");
  if (Number.isInteger(asked) && asked > 0) return asked;
  return columns !== undefined && columns > 0 ? columns : COLUMNS;
}
