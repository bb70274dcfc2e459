import type { Reporter } from "vitest/node";

export type LeftOut = Readonly<Record<string, readonly string[]>>;
export function listMissingPackages(): readonly string[];
export function readLeftOut(path: string): LeftOut;
export function describeLeftOut(leftOut: LeftOut): string | null;
export const noteLeftOut: Reporter;
