import * as v from "valibot";

const NO_NUL = /^[^\0]*$/;

export const Argument = v.pipe(v.string(), v.maxLength(4000), v.regex(NO_NUL, "an argument cannot contain NUL"));

/** The name or the path of a program. It is started as it stands, never through a shell. */
export const Program = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(400),
  v.regex(NO_NUL, "a program's name cannot contain NUL"),
);

export const Argv = v.pipe(v.array(Argument), v.minLength(1), v.maxLength(64));

export const VariableName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a variable is named with letters, digits and `_`"),
);
