/** Where the agents keep their logins, which they may renew in any session, and what was said in their sessions. */
export const AGENT_LOGINS = [
  {
    driver: "claude_code",
    variable: "CLAUDE_CONFIG_DIR",
    folder: ".claude",
    file: ".credentials.json",
    sessions: "projects",
  },
  { driver: "codex", variable: "CODEX_HOME", folder: ".codex", file: "auth.json", sessions: "sessions" },
] as const;
