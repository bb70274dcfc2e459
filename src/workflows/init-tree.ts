/** `relais tree init`: writes the tree with its root, its schema, and the documents of the sessions. Existing files stay. */
import type { MadeFile } from "../records/made-file.ts";
import type { Tree } from "../records/tree.ts";
import { writeTree } from "./pure/tree-nodes.ts";
import { WORKSPACE_IGNORE } from "../config/workspace-layout.ts";
import type { CommandFailure, NotReady } from "../records/command-failure.ts";
import { readShippedSchema } from "../workspace/shipped-files.ts";
import { openProject } from "../workspace/read-project.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { Project, WorkspaceRequest } from "../workspace/workspace.ts";
import { createFiles } from "../workspace/create-files.ts";

const DOCUMENTS = {
  "GOAL.md":
    "# Goal\n\n<!-- What is to be reached, for whom, and how one sees that it is. Only people write here. -->\n",
  "HUMAN_QUESTIONS.md": "# Questions for a person\n\n<!-- What somebody has to decide. Work goes on meanwhile. -->\n",
  "ASSUMPTIONS.md": "# Assumptions\n\n<!-- What was assumed in order to go on. -->\n",
  "FEEDBACK_LOG.md": "# Feedback\n\n<!-- What went wrong, and what follows from it. -->\n",
  "IMPROVEMENTS.md": "# Improvements\n\n<!-- What would have helped. -->\n",
} as const;

export function initTree(request: WorkspaceRequest): Promise<MadeTree | CommandFailure> {
  return withWorkspace(request, "write", async (writable) => {
    const project = await openProject(writable);
    return project.kind === "blocked" ? project : makeTree(project);
  });
}

interface MadeTree {
  readonly kind: "made";
  readonly files: readonly MadeFile[];
}

async function makeTree({ config, repository }: Project): Promise<MadeTree | NotReady> {
  const workspace = config.workspace_dir;
  const texts: readonly (readonly [string, string])[] = [
    ...Object.entries(DOCUMENTS),
    // Without it, git would see the files of relais as changes, and no iteration could start.
    [".gitignore", WORKSPACE_IGNORE],
    ["schemas/tree.schema.json", `${JSON.stringify(readShippedSchema("tree"), null, 2)}\n`],
    ["tree.json", writeTree(makeFirstTree(workspace, config.tree.max_attempts))],
  ];
  const files = await createFiles(repository.root, {
    folder: `${workspace}/schemas`,
    texts: new Map(texts.map(([name, text]) => [`${workspace}/${name}`, text])),
  });
  return "kind" in files ? files : { kind: "made", files };
}

function makeFirstTree(workspace: string, max_attempts: number): Tree {
  const root = {
    id: "root",
    order: 0,
    title: "Root",
    goal: `Satisfy ${workspace}/GOAL.md`,
    acceptance: [],
    passes: false,
    attempts: 0,
    max_attempts,
    children: [],
  };
  return { version: 1, root };
}
