/** A file that a command makes where it is missing. */
export interface MadeFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly state: "written" | "kept";
}
