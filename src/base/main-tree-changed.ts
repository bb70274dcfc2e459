/** Somebody changed the worktree while the tick worked in a place of its own; nothing was merged. */
export class MainTreeChanged extends Error {
  override readonly name = "MainTreeChanged";
  readonly paths: readonly string[];

  constructor(paths: readonly string[]) {
    const more = paths.length > NAMED_MAX ? ` and ${paths.length - NAMED_MAX} more` : "";
    super(`${paths.slice(0, NAMED_MAX).join(", ")}${more} changed in the working tree meanwhile`);
    this.paths = paths;
  }
}

const NAMED_MAX = 5;
