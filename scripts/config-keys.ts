/** The keys of relais.config.json, read from its JSON Schema: what an editor is told, as rows. */
import { InvariantError } from "../src/base/errors.ts";

/** One key that takes a value; what only holds others has no row of its own. */
export interface ConfigKey {
  /** With dots between the names; `[]` stands for each entry of a list. */
  readonly name: string;
  readonly takes: string;
  /** Undefined where there is none. */
  readonly fallback: unknown;
  /** Null where nobody wrote one. */
  readonly meaning: string | null;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every key below the schema, in its order. */
export function configKeys(schema: unknown, place = ""): readonly ConfigKey[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, part]) => {
    const full = place === "" ? name : `${place}.${name}`;
    if (isFields(part) && part["deprecated"] === true) return [keyOf(full, part)];
    if (Object.keys(propertiesOf(part)).length > 0) return configKeys(part, full);
    return [keyOf(full, part), ...configKeys(isFields(part) ? part["items"] : undefined, `${full}[]`)];
  });
}

function propertiesOf(schema: unknown): Fields {
  const properties = isFields(schema) ? schema["properties"] : undefined;
  return isFields(properties) ? properties : {};
}

function keyOf(name: string, schema: unknown): ConfigKey {
  if (!isFields(schema)) throw new InvariantError(`the key ${name} has no schema`);
  const meaning = schema["description"];
  return {
    name,
    takes: takenBy(schema),
    fallback: schema["default"],
    meaning: typeof meaning === "string" ? meaning : null,
  };
}

const coded = (value: unknown) => `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;

function takenBy(schema: unknown): string {
  if (!isFields(schema)) return "anything";
  const { anyOf, type, enum: choices } = schema;
  if (Array.isArray(anyOf)) return anyOf.map(takenBy).join(" or ");
  if (Array.isArray(choices)) return choices.map(coded).join(", ");
  if ("const" in schema) return `only ${coded(schema["const"])}`;
  switch (type) {
    case "boolean":
      return "true or false";
    case "null":
      return "null";
    case "integer":
      return `whole number${range(schema, ["minimum", "maximum"])}`;
    case "number":
      return `number${range(schema, ["minimum", "maximum"])}`;
    case "array":
      return `list of ${itemsOf(schema)}${range(schema, ["minItems", "maxItems"])}`;
    case "string":
      return "text";
    default:
      return "object";
  }
}

function itemsOf({ items }: Fields): string {
  if (Object.keys(propertiesOf(items)).length > 0) return "objects";
  return takenBy(items) === "text" ? "texts" : takenBy(items);
}

function range(schema: Fields, [least, most]: readonly [string, string]): string {
  const bound = (name: string) => (name in schema ? JSON.stringify(schema[name]) : null);
  const above = bound("exclusiveMinimum");
  const from = above ?? bound(least);
  const to = bound(most);
  if (above === null && from !== null && to !== null) return `, ${from} to ${to}`;
  const low = above === null ? `, ${from} or more` : `, more than ${above}`;
  return `${from === null ? "" : low}${to === null ? "" : `, up to ${to}`}`;
}
