/** What a suite measured is data beside it: `measured.json` of its folder. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

export function writeMeasured(file: string, measured: unknown): void {
  writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
}

/** Rows that this run did not measure stay as they are. */
export function mergeRows<T>(file: string, rows: readonly T[], nameRow: (row: T) => string): void {
  const old: readonly T[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  const merged = new Map([...old, ...rows].map((row) => [nameRow(row), row]));
  writeMeasured(file, [...merged.values()]);
}
