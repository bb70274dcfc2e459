/** The `code` of a system error, such as `ENOENT`; null for anything else. */
export function readErrorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}
