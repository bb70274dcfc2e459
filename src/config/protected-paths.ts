/**
 * What relais protects by itself, in four classes. Each class is another danger, and so has its own words and its own
 * way to a yes. Who writes these files decides what runs later, or who may know what, without a judgement.
 */
import { ENVIRONMENT_FILES } from "../base/glob-validity.ts";

export type ProtectedClass = "secrets" | "instructions" | "programs" | "ci";

/** Names that programs give to secret files. A mere word in a name, as in `tokenizer.js`, is no secret. */
export const SECRET_GLOBS: readonly string[] = [
  ENVIRONMENT_FILES,
  "**/*.{pem,key,p12,pfx,jks,keystore,kdbx}",
  "**/id_{rsa,dsa,ecdsa,ed25519}*",
  "**/{credentials,secret,secrets,token,tokens}.{json,yml,yaml,toml,ini,txt,env}",
  "**/{.secrets,.npmrc,.pypirc,.netrc,.git-credentials,.htpasswd,.pgpass,.vault-token}",
  "**/{.ssh,.aws,.gnupg,.kube}/**",
];

/** A path belongs to the first class that has it. */
export const PROTECTED: readonly (readonly [ProtectedClass, readonly string[]])[] = [
  ["secrets", SECRET_GLOBS],
  [
    "instructions",
    [
      "**/CLAUDE.md",
      "**/AGENTS.md",
      "**/{GEMINI,CLAUDE.local,AGENTS.override}.md",
      "**/.cursorrules",
      "**/.{windsurfrules,clinerules}",
      "**/.github/{copilot-instructions.md,instructions/**}",
      "**/.claude/**/*.md",
    ],
  ],
  [
    "programs",
    [
      "**/.claude/**",
      "**/.{codex,agents,gemini,cursor}/**",
      "**/.mcp.json",
      "**/.husky/**",
      "**/{.,}lefthook{,-local}.{yml,yaml,json,toml}",
      "**/.pre-commit-config.yaml",
      "**/.vscode/tasks.json",
      "**/.vscode/mcp.json",
      "**/.envrc",
    ],
  ],
  [
    "ci",
    [
      "**/.github/workflows/**",
      "**/.github/actions/**",
      "**/{.gitlab-ci,.travis,.appveyor,appveyor,azure-pipelines,bitbucket-pipelines}.{yml,yaml}",
      "**/{.circleci,.buildkite,.woodpecker}/**",
      "**/Jenkinsfile",
    ],
  ],
];

export const PROTECTED_GLOBS: readonly string[] = PROTECTED.flatMap(([, globs]) => globs);
