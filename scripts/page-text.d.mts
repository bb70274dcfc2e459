import type { Plugin } from "esbuild";

export function buildPage(): Promise<string>;
export function listPageFiles(): readonly string[];
export const importPage: {
  readonly name: string;
  readonly enforce: "pre";
  readonly load: (id: string) => Promise<{ readonly code: string } | null>;
};
export const importPageInto: Plugin;
