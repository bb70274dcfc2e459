import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { leadsOutside } from "../../src/system/leads-outside.ts";

const box = realpathSync(mkdtempSync(join(tmpdir(), "relais-leads-")));
const root = join(box, "root");
mkdirSync(join(root, "src/deep"), { recursive: true });
mkdirSync(join(box, "root-other"));
writeFileSync(join(root, "src/a.ts"), "");
for (const [name, target] of [
  ["inside", "src"],
  ["absolute-inside", join(root, "src/deep")],
  ["out", "/etc"],
  ["up", "../root-other"],
  ["dangling", "../nothing/there"],
  ["chain", "inside/../up"],
  ["circle", "circle"],
  ["src/deep/back", "../../src"],
] as const)
  symlinkSync(target, join(root, name));
afterAll(() => rmSync(box, { recursive: true }));

test.each(["src/a.ts", "src/none/x", "inside/a.ts", "absolute-inside/x", "src/deep/back/deep/back/a.ts", "."])(
  "%s stays inside",
  (path) => expect(leadsOutside(root, path)).toBe(false),
);

test.each(["out", "out/passwd", "up/x", "dangling", "dangling/x", "chain", "circle", "absolute-inside/../../../x"])(
  "%s leads out",
  (path) => expect(leadsOutside(root, path)).toBe(true),
);
