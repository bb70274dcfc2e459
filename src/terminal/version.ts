/** Put in place by the build; absent when the sources run unbundled. */
declare const RELAIS_VERSION: string | undefined;

export function readVersion(): string {
  return typeof RELAIS_VERSION === "string" ? RELAIS_VERSION : "0.0.0-source";
}
