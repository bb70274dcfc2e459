/** A room of its own for programs: other mounts, or a sandbox. */
export interface Enclosure {
  /** The argv that starts a program inside. It replaces itself by the program, or ends with it and as it ends. */
  readonly enter: (program: EnteringProgram) => readonly [string, ...string[]];
  /** A path of the inside, as this process reaches it. */
  readonly view: (path: string) => string;
  /**
   * The beginning of an argv that continues inside with all rights over it, for a sandbox that is built there. Absent
   * where a sandbox needs none.
   */
  readonly door?: () => readonly [string, ...string[]];
  /**
   * How many processes of the enclosure stand above the program, from the started one on. A signal for the program must
   * not reach them: they would end everything inside at once. Absent is none.
   */
  readonly wrappers?: number;
}

export interface EnteringProgram {
  /** An absolute path of the inside. */
  readonly file: string;
  readonly args: readonly string[];
  /** Of the inside. */
  readonly cwd: string;
}
