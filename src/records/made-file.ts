export interface MadeFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly state: "written" | "kept";
}
