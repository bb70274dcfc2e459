/** The rooms of each layer, from the ground up; those of an inner list do not know each other. */
export declare const ROOMS: Readonly<Record<string, readonly (string | readonly string[])[]>>;
declare const config: { readonly forbidden: readonly object[] };
export default config;
