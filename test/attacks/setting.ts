/** Where builders work and what holds them. Their expectations were written for the first one. */
export interface Setting {
  readonly isolation: "in_place" | "overlay" | "clone";
  readonly sandbox: "off" | "auto";
}

export const PLAIN: Setting = { isolation: "in_place", sandbox: "off" };

export const isPlain = ({ isolation, sandbox }: Setting): boolean => isolation === "in_place" && sandbox === "off";

/** Every setting, whether or not a machine has it. */
export const SETTINGS: readonly Setting[] = (["in_place", "overlay", "clone"] as const).flatMap((isolation) =>
  (["off", "auto"] as const).map((sandbox) => ({ isolation, sandbox })),
);

export function findSetting(isolation: string, sandbox: string): Setting {
  const setting = SETTINGS.find((one) => one.isolation === isolation && one.sandbox === sandbox);
  if (setting === undefined) throw new Error(`there is no setting ${isolation} ${sandbox}`);
  return setting;
}

const NAMES = {
  in_place: "In place",
  overlay: "In an overlay",
  clone: "In a clone",
  off: "without a sandbox",
  auto: "in the sandbox",
} as const;

/** As a heading. */
export const nameSetting = ({ isolation, sandbox }: Setting): string => `${NAMES[isolation]}, ${NAMES[sandbox]}`;

const PLACES = {
  in_place: { card: "not isolated", page: "in your working tree" },
  overlay: { card: "overlay", page: "in an overlay of your working tree" },
  clone: { card: "own clone", page: "in its own clone" },
} as const;
const SANDBOXES = {
  off: { report: "none", card: "unsandboxed", page: "without a sandbox: it could write outside the repository" },
  auto: { report: "bubblewrap", card: "in bubblewrap", page: "inside bubblewrap" },
} as const;

/** What a card and a page must say about the place and the sandbox. */
export function wordsOf({ isolation, sandbox }: Setting) {
  const place = PLACES[isolation];
  const around = SANDBOXES[sandbox];
  return { sandbox: around.report, card: `${place.card}, ${around.card}`, page: `${place.page}, ${around.page}` };
}
