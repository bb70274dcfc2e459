/** Loaded only here: with it Node loads workers and channels, which takes as long as everything else at the start. */
export function closeInspector(): void {
  const inspector = process.getBuiltinModule("node:inspector");
  if (inspector.url() !== undefined) inspector.close();
}
