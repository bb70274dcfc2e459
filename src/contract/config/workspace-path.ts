import * as v from "valibot";
import { RepositoryPath } from "../values/repository-path.ts";
import { key } from "./key.ts";

/** The workspace folder unless the configuration names another. */
export const DEFAULT_WORKSPACE = "relais";

/** A folder below the root, spelled in one way only, because globs and refusals are made from it. */
export const WorkspaceDir = v.pipe(
  v.string(),
  v.maxLength(200),
  v.regex(
    /^(?!(?:.*\/)?(?:\.{1,2}|\.[gG][iI][tT])(?:\/|$))[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/,
    "the workspace is a folder below the root, like `relais` or `tools/relais`",
  ),
);

/** A file of the workspace, by its default path. */
export const joinWorkspacePath = (name: string, meaning: string) =>
  key(RepositoryPath, meaning, `${DEFAULT_WORKSPACE}/${name}`);
