/** The variables that tell git where the user's own configuration is; a filter may need the same places. */
export const USER_CONFIG_VARIABLES = [
  "HOME",
  "XDG_CONFIG_HOME",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
];
