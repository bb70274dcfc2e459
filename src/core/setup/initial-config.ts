import { DEFAULT_WORKSPACE } from "../../contract/config/workspace-path.ts";
import { makeDefaultConfig } from "../../contract/config/config.ts";
import type { Detection } from "./project-detection.ts";

/** The text of a first relais.config.json: what was found in the project, and no key that only repeats a default. */
export function makeInitialConfig({ templates, allowedGlobs }: Detection): string {
  const { scope, verification } = makeDefaultConfig();
  const document = {
    $schema: `./${DEFAULT_WORKSPACE}/schemas/config.schema.json`,
    ...(isSame(allowedGlobs, scope.default_allowed_globs) ? {} : { scope: { default_allowed_globs: allowedGlobs } }),
    ...(isSame(templates, verification.templates) ? {} : { verification: { templates } }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
