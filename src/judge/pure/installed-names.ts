/** Which distributions the manifests and lockfiles of a project install, by the names that code loads them by. */
import type { ModuleSystem } from "./standard-modules.ts";

const NAMES =
  /(?:^|\/)(?:package\.json|requirements[\w-]*\.txt|pyproject\.toml|Pipfile|poetry\.lock|uv\.lock|Gemfile\.lock)$/u;

export function isManifest(path: string): boolean {
  return NAMES.test(path);
}

/** Distributions of Python whose module has another name. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["yaml", "pyyaml"],
  ["bs4", "beautifulsoup4"],
  ["dateutil", "python_dateutil"],
  ["dotenv", "python_dotenv"],
  ["jwt", "pyjwt"],
  ["pil", "pillow"],
  ["sklearn", "scikit_learn"],
  ["cv2", "opencv_python"],
  ["attr", "attrs"],
]);

/** One name for all its spellings. */
export function nameDistribution(system: ModuleSystem, name: string): string {
  const plain = system === "python" ? name.toLowerCase().replaceAll(/[-.]/gu, "_") : name;
  return `${system}\0${system === "python" ? (OTHER_NAMES.get(plain) ?? plain) : plain}`;
}

type Read = (text: string) => { readonly installed: readonly string[]; readonly own: readonly string[] };

export function listInstalled(manifests: readonly (readonly [path: string, text: string])[]): ReadonlySet<string> {
  const [installed, own]: [Set<string>, Set<string>] = [new Set(), new Set()];
  for (const [path, text] of manifests) {
    const reader = READERS.find(({ files }) => files.test(path));
    if (reader === undefined) continue;
    const names = reader.read(text);
    for (const name of names.installed) installed.add(nameDistribution(reader.system, name));
    for (const name of names.own) own.add(nameDistribution(reader.system, name));
  }
  // A project names itself, and what lies in its own folders is no distribution.
  return new Set([...installed].filter((name) => !own.has(name)));
}

function pick(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(({ groups }) => groups?.["name"] ?? []);
}

const LINE = /^[ \t]*(?<name>[A-Za-z][\w.-]*)(?:\[[\w, -]*\])?[ \t]*(?=[<>=!~;@#]|$)/gmu;
const QUOTED = /["'][ \t]*(?<name>[A-Za-z][\w.-]*)(?:\[[\w, -]*\])?[ \t]*(?=[<>=!~;@"'])/gu;
const TABLE = /^[ \t]*["']?(?<name>[A-Za-z][\w.-]*)["']?[ \t]*=[ \t]*(?:["']|\{(?![^}\n]*\b(?:path|workspace)\b))/gmu;
const OWN = /^[ \t]*name[ \t]*=[ \t]*["']?(?<name>[\w.-]+)/gmu;
const LOCAL = /\b(?:editable|virtual|path|directory)[ \t]*=|\btype[ \t]*=[ \t]*"directory"/u;
const JSON_PAIR = /"(?<name>@?[\w./-]+)"[ \t]*:[ \t]*"(?!\*"|(?:workspace|file|link|portal):)[^"\n]*"/gu;
const LIST_OF_PROJECT = /^dependencies[ \t]*=[ \t]*\[(?:[^[\]]|\[[^[\]]*\])*\]/mu;

/** The sections of TOML that name dependencies, as a list or as a table. */
const readProject: Read = (text) => {
  const sections = text.split(/^(?=\[)/mu);
  const pickSections = (head: RegExp): readonly string[] => sections.filter((section) => head.test(section));
  return {
    installed: [
      ...pickSections(/^\[project\]/u).flatMap((section) => pick(LIST_OF_PROJECT.exec(section)?.[0] ?? "", QUOTED)),
      ...pickSections(/^\[(?:project\.optional-dependencies|dependency-groups)\]/u).flatMap((one) => pick(one, QUOTED)),
      ...pickSections(/^\[(?:tool\.poetry[^\]\n]*dependencies|(?:dev-)?packages)\]/u).flatMap((one) =>
        pick(one, TABLE),
      ),
    ],
    own: pickSections(/^\[(?:project|tool\.poetry)\]/u).flatMap((section) => pick(section, OWN)),
  };
};

const readLock: Read = (text) => {
  const packages = text.split(/^\[\[package\]\]/mu).slice(1);
  const names = (isLocal: boolean): readonly string[] =>
    packages.filter((part) => LOCAL.test(part) === isLocal).flatMap((part) => pick(part, OWN).slice(0, 1));
  return { installed: names(false), own: names(true) };
};

const readPackage: Read = (text) => {
  const lists = text.match(/"(?:dev|peer|optional)?[dD]ependencies"\s*:\s*\{[^{}]*\}/gu) ?? [];
  return { installed: lists.flatMap((part) => pick(part.slice(part.indexOf("{")), JSON_PAIR)), own: [] };
};

const READERS: readonly { readonly files: RegExp; readonly system: ModuleSystem; readonly read: Read }[] = [
  { files: /package\.json$/u, system: "node", read: readPackage },
  { files: /\.txt$/u, system: "python", read: (text) => ({ installed: pick(text, LINE), own: [] }) },
  { files: /(?:pyproject\.toml|Pipfile)$/u, system: "python", read: readProject },
  {
    files: /Gemfile\.lock$/u,
    system: "ruby",
    read: (text) => ({
      installed: pick(text, /^ {4}(?<name>[\w-]+) \(/gmu),
      own: pick(text, /^PATH\n(?:.*\n){1,4}? {4}(?<name>[\w-]+) \(/gmu),
    }),
  },
  { files: /\.lock$/u, system: "python", read: readLock },
];
