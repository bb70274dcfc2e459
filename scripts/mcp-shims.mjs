/**
 * What the SDK of the Model Context Protocol asks of its platform, without its validator of JSON Schemas. Servers need
 * that only to ask a person something through the client, which relais does not do; it is a third of the SDK.
 */
export { default as process } from "node:process";

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("relais asks no client for input");
  }
}
