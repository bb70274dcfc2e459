/** What each exit status means, for the man page and the page of the command line. */
export const EXIT_STATUSES: readonly (readonly [number, string])[] = [
  [0, "kept, done, or paused as you asked"],
  [1, "a bug in relais"],
  [2, "the command line is wrong"],
  [10, "a tick or a command was refused; the repository is as it was"],
  [11, "nothing could start: repository, configuration, a red check, or a lock"],
  [12, "a budget is used up"],
  [13, "an agent's service refuses for now: a rate limit"],
  [14, "a person is needed"],
  [129, "ended by SIGHUP"],
  [130, "ended by SIGINT (Ctrl-C)"],
  [143, "ended by SIGTERM"],
];
