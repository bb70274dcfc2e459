import type { Section } from "../sections.mjs";

export function layOver(sections: readonly Section[], folder: string, tree: string): void;
export function applyChange(file: string, tree: string): void;
