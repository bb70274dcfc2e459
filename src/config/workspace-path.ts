import * as v from "valibot";
import { RepositoryPath } from "../base/repository-path.ts";
import { key } from "./key.ts";

export const DEFAULT_WORKSPACE = "relais";

/** Only one spelling, because globs are made from it. */
export const WorkspaceDir = v.pipe(
  v.string(),
  v.maxLength(200),
  v.regex(
    /^(?!(?:.*\/)?(?:\.{1,2}|\.[gG][iI][tT])(?:\/|$))[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/,
    "the workspace is a folder below the root, like `relais` or `tools/relais`",
  ),
);

export const joinWorkspacePath = (name: string, meaning: string) =>
  key(RepositoryPath, meaning, `${DEFAULT_WORKSPACE}/${name}`);
