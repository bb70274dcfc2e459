/** The person and the moment of every commit that is compared with the simulated one. */
export const COMMIT_SECONDS = 1_767_225_600;
const DATE = `${COMMIT_SECONDS} +0000`;

export const GIT_ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Me",
  GIT_AUTHOR_EMAIL: "me@example.com",
  GIT_COMMITTER_NAME: "Me",
  GIT_COMMITTER_EMAIL: "me@example.com",
  GIT_AUTHOR_DATE: DATE,
  GIT_COMMITTER_DATE: DATE,
};
