/** The cause of a tick that did not begin, because the question of an earlier one waits for its answer. */
export const UNANSWERED = "unanswered";
