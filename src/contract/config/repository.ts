import * as v from "valibot";
import { key } from "./key.ts";

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
  commit: key(
    v.picklist(["loop", "always", "never"]),
    "What commits: `loop` is loops only, so that `relais run` leaves the change for `relais accept`; `always` is both; `never` allows no loop.",
    "loop",
  ),
  hooks: key(
    v.picklist(["off", "run"]),
    "Whether the hooks, as they were before the builder began, are run when relais commits.",
    "off",
  ),
  protected_branches: key(
    v.pipe(v.array(BranchText), v.maxLength(100)),
    "Branches on which relais does not commit; it makes one of its own instead.",
    ["main", "master"],
  ),
  branch_prefix: key(BranchText, "How the branches begin that relais makes.", "relais/"),
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
  "What a change to an ignored file is: a stop if the file was there before and a note if it is new (`forbid`), always a note (`report`), or nothing (`allow`).",
  "forbid",
);
