const entries = [];
export const it = (name, body) => entries.push({ name, body, mode: "run" });
it.only = (name, body) => entries.push({ name, body, mode: "only" });
it.skip = (name, body) => entries.push({ name, body, mode: "skip" });

/** Runs what was registered and answers with the number of failures. */
export async function runAll() {
  const focused = entries.some(({ mode }) => mode === "only");
  let failures = 0;
  for (const { name, body, mode } of entries) {
    if (mode === "skip" || (focused && mode !== "only")) continue;
    try {
      await body();
      console.log(`ok - ${name}`);
    } catch (error) {
      failures += 1;
      console.log(`not ok - ${name}: ${error.message}`);
    }
  }
  return failures;
}
