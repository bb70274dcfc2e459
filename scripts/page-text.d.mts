import type { Plugin } from "esbuild";

export function buildPage(): Promise<string>;
export function listPageFiles(): readonly string[];
export const importPage: {
  readonly name: string;
  readonly enforce: "pre";
  readonly load: {
    readonly filter: { readonly id: RegExp };
    readonly handler: () => Promise<{ readonly code: string }>;
  };
};
export const importPageInto: Plugin;
