/** Small damage to a JSON document, at every place that it has. */
type Key = string | number;
export type Place = readonly Key[];

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** Every place of a document, the document itself included. */
export function placesOf(value: unknown, place: Place = []): readonly Place[] {
  if (!isFields(value)) return [place];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    placesOf(item, [...place, Array.isArray(value) ? Number(key) : key]),
  );
  return [place, ...inner];
}

export function valueAt(value: unknown, place: Place): unknown {
  return place.reduce<unknown>((current, key) => (isFields(current) ? current[key] : undefined), value);
}

/** The document with another value at one place; `undefined` removes the key. */
export function replaced(value: unknown, place: Place, by: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return by;
  if (!isFields(value)) return value;
  const item = replaced(value[key], rest, by);
  if (Array.isArray(value)) return item === undefined ? value.toSpliced(Number(key), 1) : value.with(Number(key), item);
  const others = Object.entries(value).filter(([name]) => name !== key);
  return Object.fromEntries(item === undefined ? others : [...others, [key, item]]);
}
