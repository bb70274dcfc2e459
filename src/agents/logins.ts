/** Where the agents keep their logins, which they may renew in any session. */
export const AGENT_LOGINS = [
  { variable: "CLAUDE_CONFIG_DIR", folder: ".claude", file: ".credentials.json" },
  { variable: "CODEX_HOME", folder: ".codex", file: "auth.json" },
] as const;
