interface PatchCopy {
  readonly from: string;
  readonly to: string;
}

/** The sections of a git patch that copy or rename a file. Lines of a file begin with another character. */
export function listPatchCopies(patch: string): readonly PatchCopy[] {
  const sections = patch.matchAll(/^(?:copy|rename) from (?<from>.+)\r?\n(?:copy|rename) to (?<to>.+?)\r?$/gmu);
  return [...sections].map(({ groups }) => ({ from: unquote(groups?.["from"]), to: unquote(groups?.["to"]) }));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\u0007", b: "\b", f: "\f", v: "\v" };

/** Git quotes a name as C does. */
function unquote(name = ""): string {
  if (!name.startsWith('"')) return name;
  const bytes = Buffer.from(name.slice(1, -1))
    .toString("latin1")
    .replaceAll(/\\(?<code>[0-7]{3}|.)/gu, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
    );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
