/** Every process of a session carries it, and those of a session inside a session carry the markers of both. */
const MARKER_NAME = "RELAIS_SESSION";

/** The variable that makes a process and all that it starts findable by each of these markers, and by those around us. */
export function markerVariable(markers: readonly (string | null | undefined)[]): Record<string, string> {
  const outer = process.env[MARKER_NAME];
  const carried = [outer, ...markers].filter((marker) => marker !== undefined && marker !== null);
  return { [MARKER_NAME]: carried.join(":") };
}
