import { Buffer } from "node:buffer";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePath } from "../../src/base/path-names.ts";

test("valid UTF-8 becomes the text it is, a byte order mark included", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const bytes = Buffer.from(text, "utf8").toString("latin1");
      expect(decodePath(bytes)).toEqual({ text: Buffer.from(text, "utf8").toString("utf8"), base64: null });
    }),
  );
  expect(decodePath(Buffer.from("\ufeffa").toString("latin1")).text).toBe("\ufeffa");
});

test("other bytes are shown escaped and kept exactly", () => {
  expect(decodePath("src/\xff\xfe.ts")).toEqual({
    text: "src/\\xff\\xfe.ts",
    base64: btoa("src/\xff\xfe.ts"),
  });
});
