/**
 * Whether a person's own settings of Claude Code are needed to log in.
 *
 * They hold more than a login: hooks, instructions and permissions, none of which belong into a judged session. So they
 * are taken up only where a login would fail without them, because a helper gives the key or the address of the service
 * is set there. A login that was made with the program itself does not depend on them.
 */
import { join } from "node:path";
import * as v from "valibot";
import { readBounded } from "../../io/files/bounded-file.ts";

const SETTINGS_BYTES_MAX = 4 * 1024 * 1024;
const HELPERS = ["apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "gcpAuthRefresh", "proxyAuthHelper"];
const LOGIN_VARIABLE = /^(?:ANTHROPIC_|CLAUDE_CODE_|AWS_|GOOGLE_|CLOUD_ML_|VERTEX_|HTTPS?_PROXY$)/u;

type Variables = Readonly<Record<string, string | undefined>>;

export async function needsUserSettings(variables: Variables): Promise<boolean> {
  const { CLAUDE_CONFIG_DIR: folder, HOME: home } = variables;
  const place = folder ?? (home === undefined ? null : join(home, ".claude"));
  if (place === null) return false;
  const read = await readBounded(join(place, "settings.json"), SETTINGS_BYTES_MAX);
  // Settings that are a link are somebody's ordinary settings too, and what they hold is left to the program.
  if (read.kind !== "read") return read.kind === "refused";
  return holdsLogin(read.data.toString("utf8"));
}

const Settings = v.looseObject({ env: v.optional(v.record(v.string(), v.unknown()), {}) });

/** What cannot be read holds no login that the program could use. */
function holdsLogin(text: string): boolean {
  const settings = v.safeParse(v.pipe(v.string(), v.parseJson(), Settings), text);
  if (!settings.success) return false;
  const { env, ...rest } = settings.output;
  return (
    HELPERS.some((helper) => Object.hasOwn(rest, helper)) || Object.keys(env).some((name) => LOGIN_VARIABLE.test(name))
  );
}
