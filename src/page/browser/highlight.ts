/** Colours for the common languages, by a small tokenizer: comments, strings, numbers and keywords. */
export interface ColouredText {
  readonly kind: "plain" | "comment" | "string" | "number" | "keyword";
  readonly text: string;
}

interface Language {
  readonly line: readonly string[];
  readonly block: readonly [start: string, end: string] | null;
  readonly quotes: string;
  /** Quotes that go on over several lines. */
  readonly longQuotes: readonly string[];
  readonly words: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const C_WORDS =
  "auto bool break case catch char class const constexpr continue default delete do double else enum extern false final finally float for goto if implements import inline int interface long namespace new null nullptr operator override package private protected public return short signed sizeof static struct super switch template this throw true try typedef typename union unsigned using virtual void volatile while var val fun func let guard defer extension protocol abstract extends record string";
const C: Language = { line: ["//"], block: ["/*", "*/"], quotes: "\"'", longQuotes: [], words: words(C_WORDS) };
const SCRIPT: Language = {
  ...C,
  longQuotes: ["`"],
  words: words(
    "abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace never new null number object of override private protected public readonly return satisfies set static string super switch symbol this throw true try type typeof undefined unknown var void while with yield",
  ),
};
const HASH: Language = { line: ["#"], block: null, quotes: "\"'", longQuotes: [], words: words("") };

const LANGUAGES: Readonly<Record<string, Language>> = {
  script: SCRIPT,
  c: C,
  json: { ...HASH, line: [], quotes: '"', words: words("true false null") },
  python: {
    ...HASH,
    longQuotes: ['"""', "'''"],
    words: words(
      "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
    ),
  },
  go: {
    ...C,
    longQuotes: ["`"],
    words: words(
      "break case chan const continue default defer else error fallthrough false for func go goto if import interface iota map nil package range return select string struct switch true type var int bool byte any",
    ),
  },
  rust: {
    ...C,
    quotes: '"',
    words: words(
      "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while Some None Ok Err",
    ),
  },
  ruby: {
    ...HASH,
    words: words(
      "alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield require",
    ),
  },
  shell: {
    ...HASH,
    words: words(
      "if then else elif fi case esac for in do done while until function return local export set unset readonly shift exit trap source eval exec",
    ),
  },
  settings: { ...HASH, words: words("true false null yes no on off") },
  sql: {
    ...C,
    line: ["--"],
    quotes: "'\"",
    words: words(
      "select from where and or not insert into values update set delete create table index view drop alter add primary key foreign references join left right inner outer on group by order having limit offset as distinct null is in like between union all case when then else end SELECT FROM WHERE AND OR NOT INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE INDEX VIEW DROP ALTER ADD PRIMARY KEY FOREIGN REFERENCES JOIN LEFT RIGHT INNER OUTER ON GROUP BY ORDER HAVING LIMIT OFFSET AS DISTINCT NULL IS IN LIKE BETWEEN UNION ALL CASE WHEN THEN ELSE END",
    ),
  },
  css: { ...C, line: [], words: words("important media supports keyframes import from to and not only") },
  markup: { line: [], block: ["<!--", "-->"], quotes: '"', longQuotes: [], words: words("") },
};

const ENDINGS: Readonly<Record<string, string>> = {
  ...name("script", "js jsx mjs cjs ts tsx mts cts"),
  ...name("c", "c h cc cpp cxx hh hpp java kt kts cs swift php scala dart m mm proto zig"),
  ...name("python", "py pyi"),
  ...name("json", "json jsonl json5"),
  ...name("go", "go"),
  ...name("rust", "rs"),
  ...name("ruby", "rb rake gemspec"),
  ...name("shell", "sh bash zsh fish"),
  ...name("settings", "yml yaml toml ini cfg conf env properties gitignore dockerfile makefile mk r pl pm ex exs"),
  ...name("sql", "sql"),
  ...name("css", "css scss less"),
  ...name("markup", "html htm xml svg vue svelte md"),
};

function name(language: string, endings: string): Readonly<Record<string, string>> {
  return Object.fromEntries(endings.split(" ").map((ending) => [ending, language]));
}

function findLanguage(path: string): Language | null {
  const file = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = file.slice(file.lastIndexOf(".") + 1);
  return LANGUAGES[ENDINGS[ending] ?? ""] ?? null;
}

/** Colours one line after the other; a block comment or a long string may go on in the next one. */
export function makeHighlighter(path: string): (line: string) => readonly ColouredText[] {
  const language = findLanguage(path);
  let open: OpenText | null = null;
  if (language === null) return (text) => [{ kind: "plain", text }];
  return (line) => {
    const read = readLine(line, language, open);
    open = read.open;
    return read.tokens;
  };
}

interface OpenText {
  readonly kind: "comment" | "string";
  readonly end: string;
}

interface ReadLine {
  readonly tokens: readonly ColouredText[];
  readonly open: OpenText | null;
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /\d[\w.]*/uy;
const OTHER = /[^\p{L}\p{N}_$"'`#/\-<]+|./suy;

function readLine(line: string, language: Language, before: OpenText | null): ReadLine {
  const tokens: ColouredText[] = [];
  let at = 0;
  let open = before;
  const push = (kind: ColouredText["kind"], end: number): void => {
    if (end > at) tokens.push({ kind, text: line.slice(at, end) });
    at = end;
  };
  const pushText = (text: OpenText, from: number): boolean => {
    const end = findEnd(line, from, text.end);
    push(text.kind, end ?? line.length);
    return end === null;
  };
  while (at < line.length) {
    const start = open === null ? findStart(line, at, language) : null;
    if (open !== null) open = pushText(open, at) ? open : null;
    else if (start === null) pushWord(line, at, language, push);
    else open = pushText(start.open, at + start.skip) && start.isLong ? start.open : null;
  }
  return { tokens, open };
}

interface FoundStart {
  readonly open: OpenText;
  readonly skip: number;
  readonly isLong: boolean;
}

/** No line has it, so the comment goes on to the end. */
const LINE_END = "\n";

function findStart(
  line: string,
  at: number,
  { line: comments, block, longQuotes, quotes }: Language,
): FoundStart | null {
  if (comments.some((mark) => line.startsWith(mark, at)))
    return { open: { kind: "comment", end: LINE_END }, skip: 0, isLong: false };
  if (block !== null && line.startsWith(block[0], at))
    return { open: { kind: "comment", end: block[1] }, skip: block[0].length, isLong: true };
  const long = longQuotes.find((quote) => line.startsWith(quote, at));
  if (long !== undefined) return { open: { kind: "string", end: long }, skip: long.length, isLong: true };
  const quote = line.charAt(at);
  return quotes.includes(quote) ? { open: { kind: "string", end: quote }, skip: 1, isLong: false } : null;
}

/** Behind the end; null where the line ends first. An escaped quote ends nothing. */
function findEnd(line: string, from: number, end: string): number | null {
  for (let at = from; at < line.length; at += 1) {
    if (line.charAt(at) === "\\" && end !== "*/") at += 1;
    else if (line.startsWith(end, at)) return at + end.length;
  }
  return null;
}

function pushWord(
  line: string,
  at: number,
  language: Language,
  push: (kind: ColouredText["kind"], end: number) => void,
): void {
  for (const [pattern, kind] of [
    [WORD, "word"],
    [NUMBER, "number"],
    [OTHER, "plain"],
  ] as const) {
    pattern.lastIndex = at;
    const found = pattern.exec(line)?.[0];
    if (found === undefined) continue;
    const isKeyword = kind === "word" && language.words.has(found);
    push(kind === "word" ? (isKeyword ? "keyword" : "plain") : kind, at + found.length);
    return;
  }
}
