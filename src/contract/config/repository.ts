import * as v from "valibot";
import { key } from "./key.ts";

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
  commit: key(
    v.picklist(["loop", "always", "never"]),
    "Who commits. `loop`: loops only; `relais run` leaves the change for `relais accept`. `always`: both. `never`: neither, so no loop can run.",
    "loop",
  ),
  hooks: key(
    v.picklist(["off", "run"]),
    "Run the repository's hooks when relais commits, as they were before the build.",
    "off",
  ),
  protected_branches: key(
    v.pipe(v.array(BranchText), v.maxLength(100)),
    "Branches that relais never commits to; it creates a branch instead.",
    ["main", "master"],
  ),
  branch_prefix: key(BranchText, "Prefix of the branches that relais creates.", "relais/"),
});

export const Isolation = key(
  v.picklist(["auto", "in_place", "overlay", "clone"]),
  "Where a builder works; `auto` and `in_place` are your working tree, the others are refused for now.",
  "auto",
);
export const Sandbox = key(
  v.picklist(["auto", "off", "required"]),
  "Whether a builder is kept in a sandbox; `auto` and `off` run without one, `required` blocks every tick for now.",
  "auto",
);
export const Ignored = key(
  v.picklist(["report", "forbid", "allow"]),
  "A change to an ignored file. `forbid`: a stop, or a note if the file is new. `report`: a note. `allow`: fine.",
  "forbid",
);
