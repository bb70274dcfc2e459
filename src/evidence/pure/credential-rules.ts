/**
 * Finds credentials by their own shape: keys of known providers and private keys. The rules are those of secretlint, a
 * public list. Loaded only where a line is new that may hold one.
 */
import { rules as creators } from "@secretlint/secretlint-rule-preset-recommend";
import { measureBits } from "./secret-tokens.ts";

export interface FoundCredential {
  /** The rule of the list, such as `github`. */
  readonly rule: string;
  readonly at: number;
  /** Never show it. */
  readonly value: string;
}

/** As much of a rule of the list as is used here. */
interface RuleCreator {
  readonly meta: { readonly id: string };
  readonly create: (context: RuleContext, options: object) => { readonly file?: (source: object) => unknown };
}

interface RuleContext {
  readonly createTranslator: () => (id: string, data?: object) => Message;
  readonly report: (found: Report) => void;
  readonly ignore: () => void;
}

interface Message {
  readonly message: string;
  readonly messageId: string;
  /** What a person would read; the value is among it. */
  readonly data: object;
}

interface Report {
  readonly message: Message;
  readonly range: readonly [from: number, to: number];
}

const PREFIX = "@secretlint/secretlint-rule-";
/** A comment could switch rules off; a password in an address has no shape of its own, and documents are full of them. */
const UNUSED_RULES = ["filter-comments", "basicauth", "database-connection-string"];
/** The number of an account is no secret. */
const UNUSED_MESSAGE = "AWSAccountID";
const OPTIONS = { enableIDScanRule: true };

const LIST: readonly RuleCreator[] = creators;

/** The list reports through its context, so each rule has one of its own. */
const SEARCHES = LIST.flatMap((creator) => {
  const rule = creator.meta.id.replace(PREFIX, "");
  if (UNUSED_RULES.includes(rule)) return [];
  let reports: Report[] = [];
  const { file } = creator.create(
    {
      createTranslator:
        () =>
        (messageId, data = {}) => ({ message: messageId, messageId, data }),
      report: (found) => void reports.push(found),
      ignore: () => {},
    },
    OPTIONS,
  );
  return [
    (content: string): readonly FoundCredential[] => {
      reports = [];
      file?.({ content, contentType: "text", filePath: "text", ext: "" });
      return reports
        .filter(({ message }) => message.messageId !== UNUSED_MESSAGE)
        .map((report) => ({ rule, ...locateValue(content, report) }));
    },
  ];
});

/** A range may begin with the name of the value and end in the middle of it. */
function locateValue(content: string, { message: { data }, range: [from, to] }: Report) {
  const texts = Object.values(data).filter(
    (text): text is string => typeof text === "string" && text.length >= CHARS_MIN,
  );
  const value = texts.find((text) => content.includes(text, from)) ?? content.slice(from, to);
  return { at: content.indexOf(value, from), value };
}

/** Shorter texts are the names of kinds. */
const CHARS_MIN = 16;

/** In the order of the text; of two rules about one place the first. */
export function listCredentials(text: string): readonly FoundCredential[] {
  const found = SEARCHES.flatMap((search) => search(text)).filter(({ value }) => !isExample(value));
  const ordered = found.toSorted((one, other) => one.at - other.at);
  return ordered.filter(({ at }, index) => index === 0 || at !== ordered[index - 1]?.at);
}

const EXAMPLE_WORD =
  /example|sample|dummy|fake|placeholder|redacted|changeme|your[-_]|_test_|xxxx|0{6}|(?:12345|abcde)/iu;
/** Random characters have more. */
const BITS_MIN = 3;

/** A value that documents and tools print in place of a key. */
function isExample(value: string): boolean {
  return EXAMPLE_WORD.test(value) || measureBits(value) < BITS_MIN;
}
