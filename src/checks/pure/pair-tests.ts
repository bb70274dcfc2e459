/** Which test of the base is which test now: by its full name, then by its bare name, as it may have moved. */
import type { TestResult } from "../../records/test-report.ts";
import { isFileName } from "./run-reading.ts";

export interface TestPair {
  readonly name: string;
  readonly base: TestResult["state"];
  readonly now: TestResult["state"];
}

interface PairedTests {
  readonly pairs: readonly TestPair[];
  readonly onlyBase: readonly TestResult[];
  readonly onlyNow: readonly TestResult[];
}

/** Several tests can have the same name; each is paired once. */
export function pairTests(base: readonly TestResult[], now: readonly TestResult[]): PairedTests {
  const byFullName = pairBy(base, now, (name) => name);
  const byBareName = pairBy(byFullName.onlyBase, byFullName.onlyNow, takeBareName);
  return { ...byBareName, pairs: [...byFullName.pairs, ...byBareName.pairs] };
}

function pairBy(base: readonly TestResult[], now: readonly TestResult[], key: (name: string) => string): PairedTests {
  const waiting = new Map<string, TestResult[]>();
  for (const test of base.toReversed()) {
    const name = key(test.name);
    const same = waiting.get(name);
    if (same === undefined) waiting.set(name, [test]);
    else same.push(test);
  }
  const pairs: TestPair[] = [];
  const onlyNow: TestResult[] = [];
  for (const test of now) {
    const partner = waiting.get(key(test.name))?.pop();
    if (partner === undefined) onlyNow.push(test);
    else pairs.push({ name: test.name, base: partner.state, now: test.state });
  }
  const left = new Set([...waiting.values()].flat());
  return { pairs, onlyBase: base.filter((test) => left.has(test)), onlyNow };
}

/**
 * Without file, package and groups. The values of a parametrised test stay: `adds[1-2]`. Of a file, which node:test
 * may show with the whole path of the folder where the check ran, only the last part stays.
 */
export function takeBareName(name: string): string {
  if (isFileName(name)) return name.slice(name.lastIndexOf("/") + 1);
  const values = name.search(/[[(]/);
  const head = values === -1 ? name : name.slice(0, values);
  const start = Math.max(head.lastIndexOf(" > ") + 3, head.lastIndexOf(" › ") + 3, head.lastIndexOf("::") + 2);
  return start > 2 || head.startsWith("::") ? name.slice(start) : name;
}
