/** Entries for the named people, an hour each. */
export const entriesFor = (...names) => names.map((name) => ({ name, hours: 1 }));
