import * as v from "valibot";

/** A name that git accepts as (the beginning of) a branch. */
const BranchText = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(200),
  v.regex(
    /^(?![-/.])(?!.*(?:\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)))[^\s~^:?*[\\\0]+$/,
    "git does not accept it in the name of a branch",
  ),
);

export const Git = v.strictObject({
  commit: v.exactOptional(v.picklist(["loop", "always", "never"]), "loop"),
  hooks: v.exactOptional(v.picklist(["off", "run"]), "off"),
  protected_branches: v.exactOptional(v.pipe(v.array(BranchText), v.maxLength(100)), ["main", "master"]),
  branch_prefix: v.exactOptional(BranchText, "relais/"),
});

export const Isolation = v.exactOptional(v.picklist(["auto", "in_place", "overlay", "clone"]), "auto");
export const Sandbox = v.exactOptional(v.picklist(["auto", "off", "required"]), "auto");
export const Ignored = v.exactOptional(v.picklist(["report", "forbid", "allow"]), "report");
