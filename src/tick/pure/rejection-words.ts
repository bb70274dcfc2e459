/** What the next attempt reads about a change that a person rejected. */
export function describeRejection(reason: string | null): string {
  return `A person rejected the change, and it was reverted: ${reason ?? "no reason was given."}`;
}
