import type { Plugin } from "esbuild";

export const importBuilders: {
  readonly name: string;
  readonly enforce: "pre";
  readonly load: {
    readonly filter: { readonly id: RegExp };
    readonly handler: () => { readonly code: string };
  };
};
export const importBuildersInto: Plugin;
