import { expect, test } from "vitest";
import { MeasurementError } from "../../src/base/errors.ts";
import { listMounts, listMountsInTable } from "../../src/system/mounts.ts";

test("names with blanks, tabs, line feeds and backslashes are read as they are", () => {
  const table = [
    "36 35 98:0 /mnt1 /a\\040b\\011c\\012d\\134040 rw,noatime master:1 shared:2 - ext3 /dev/root rw,errors=continue",
    "22 27 0:21 / /proc rw,relatime - proc  rw",
    "",
  ].join("\n");
  expect(listMountsInTable(table)).toEqual([
    { point: "/a b\tc\nd\\040", kind: "ext3 /mnt1" },
    { point: "/proc", kind: "proc /" },
  ]);
});

test("a table of another form is a failed measurement", () => {
  expect(() => listMountsInTable("36 35 98:0 /mnt1\n")).toThrow(MeasurementError);
});

test("the root of this machine is mounted", async () => {
  expect((await listMounts()).map(({ point }) => point)).toContain("/");
});
