/** The words that limit a campaign, and those of its tables. */
import { execFileSync } from "node:child_process";
import type { Setting } from "../test/attacks/setting.ts";
import type { User } from "../test/support/user-driver.ts";

/** Writes the page from the results that are there. */
export const PAGE = "page";

interface Described {
  readonly setting: Setting;
  readonly user: User;
}

export function wordsOf({ setting: { isolation, sandbox }, user }: Described): readonly string[] {
  return [isolation, sandbox === "off" ? "unsandboxed" : "sandboxed", user.uid === 0 ? "root" : "user"];
}

export function nameFileSystem(folder: string): string {
  const name = execFileSync("stat", ["-f", "-c", "%T", folder], { encoding: "utf8" }).trim();
  return name === "ext2/ext3" ? "ext4" : name; // They have the same number.
}
