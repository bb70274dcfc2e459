import * as v from "valibot";

/** A tool as its program names it, perhaps with a rule in parentheses; a comma outside of them would be two. */
const Tool = v.pipe(
  v.string(),
  v.maxLength(200),
  v.regex(
    /^[A-Za-z][\w.-]*(?:\([^()\n\r]+\))?$/,
    "a tool is a name, like `Read`, or one with a rule, like `Bash(just *)`",
  ),
);

/** `nodes/<id>/tools.json`: the tools that the session of one leaf may use, of those that it would have anyway. */
export const NodeTools = v.strictObject({
  allowed_tools: v.pipe(v.array(Tool), v.minLength(1), v.maxLength(64)),
});
