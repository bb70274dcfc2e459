/** Records configurations of a version, each with what that version reads in it: every default included. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openHistoryStage } from "./history-stage.ts";
import { importSource } from "./import-source.ts";
import type { HistoryStory } from "./history-stories.ts";

interface ConfigurationRequest {
  /** The sources of the version. */
  readonly checkout: string;
  readonly executable: string;
  readonly stories: readonly HistoryStory[];
  /** Where the configurations are written to. */
  readonly folder: string;
}

/** Projects in which `relais init` writes a configuration. */
const PROJECTS: Readonly<Record<string, Readonly<Record<string, string | object>>>> = {
  "init-node": { "package.json": { name: "sample", scripts: { test: "node --test", lint: "eslint ." } } },
  "init-python": { "pyproject.toml": "[tool.pytest.ini_options]\n", "tests/test_a.py": "" },
  "init-empty": { "README.md": "# Sample\n" },
};

/** Writes one file for each configuration: the document, and what the version makes of it. */
export async function recordConfigurations(request: ConfigurationRequest): Promise<void> {
  const read = await configReader(request.checkout);
  const documents: ReadonlyMap<string, unknown> = new Map<string, unknown>([
    ["defaults", {}],
    ["every-default", read({})],
    ...request.stories.map(({ name, config }) => [name, config] as const),
    ...Object.entries(PROJECTS).map(([name, files]) => {
      const stage = openHistoryStage({ executable: request.executable, name, files });
      stage.relais("init");
      const written: unknown = JSON.parse(readFileSync(join(stage.root, "relais.config.json"), "utf8"));
      return [name, written] as const;
    }),
  ]);
  mkdirSync(request.folder, { recursive: true });
  for (const [name, document] of documents) {
    const text = JSON.stringify({ document, reads_as: read(document) }, null, 1);
    writeFileSync(join(request.folder, `${name}.json`), `${text}\n`);
  }
}

/** The reader of that version, from its sources. */
async function configReader(checkout: string): Promise<(document: unknown) => unknown> {
  const { parseConfig } = await importSource(checkout, "contract/config/parse-config.ts");
  return (document) => {
    const parsed = parseConfig(document);
    if (parsed.kind !== "valid") throw new Error(`no configuration: ${JSON.stringify(parsed)}`);
    return parsed.value;
  };
}
