declare const config: { readonly forbidden: readonly object[] };
export default config;
