import { InvariantError } from "../../contract/values/invariant.ts";
import { SHIPPED_SCHEMAS } from "./shipped-files.ts";

export function readShippedSchema(name: string): object {
  const schema = SHIPPED_SCHEMAS[`${name}.schema.json`];
  if (schema === undefined) throw new InvariantError(`there is no schema ${name}`);
  return schema;
}
