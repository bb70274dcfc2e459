/** One of those who look at the work. */
export interface Reviewer {
  readonly name: string;
  /** What this one looks at, in a sentence that is put to it. */
  readonly focus: string;
}
