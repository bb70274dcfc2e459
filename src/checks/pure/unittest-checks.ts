import type { CheckTemplate } from "../../records/initialised.ts";

/** Where test modules of Python lie that can be found without settings. */
export const PYTHON_TEST_FILE = /^tests?\/test[^/]*\.py$/;
/** More test files than this are not read, and then nothing is known of them. */
export const PYTHON_TEST_FILES_MAX = 60;

const USES_UNITTEST = /^\s*(?:import unittest|from unittest(?:\.\w+)* import)\b/m;
const USES_ANOTHER = /^\s*(?:import|from) (?:pytest|nose|nose2|testtools|hypothesis|django)\b/m;

interface PythonFacts {
  readonly testFiles: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * The check of a project whose tests are all written for unittest, which comes with Python. A package in `src` cannot be
 * imported without being installed, and other imports may need another runner: then there is none.
 */
export function findUnittestCheck({ testFiles, folders, texts }: PythonFacts): CheckTemplate | null {
  const modules = [...testFiles].filter((path) => PYTHON_TEST_FILE.test(path));
  const [folder, ...others] = new Set(modules.map((path) => path.slice(0, path.indexOf("/"))));
  if (folder === undefined || others.length > 0 || folders.has("src")) return null;
  const isPlain = modules.every((path) => {
    const text = texts.get(path) ?? "";
    return USES_UNITTEST.test(text) && !USES_ANOTHER.test(text);
  });
  if (!isPlain) return null;
  // Of a package of tests, Python has to know the folder above.
  const top = testFiles.has(`${folder}/__init__.py`) ? ["-t", "."] : [];
  return { id: "test", cmd: "python3", args: ["-m", "unittest", "discover", "-s", folder, ...top] };
}
