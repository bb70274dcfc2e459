/** What `relais demo` prints with `--json`. */
import * as v from "valibot";
import { AnyCode, AnyVerdict } from "../src/base/any-code.ts";
import { RunId } from "../src/base/identifier.ts";
import { Finding } from "../src/records/judgement.ts";
import { Count } from "../src/base/quantity.ts";
import { VerificationRun } from "../src/records/report.ts";

const open = v.looseObject;
const Text = v.string();
const maybe = v.nullable;
const Flag = v.boolean();

const Step = open({
  id: Text,
  title: Text,
  about: Text,
  commands: v.array(open({ line: Text, status: maybe(v.number()), stdout: Text, stderr: Text })),
  claims: v.array(open({ claim: Text, holds: Flag })),
  as_told: Flag,
});
const Scene = open({
  id: Text,
  title: Text,
  asked: Text,
  verdict: AnyVerdict,
  code: AnyCode,
  cause: maybe(Text),
  run_id: RunId,
  findings: v.array(Finding),
  checks: v.array(VerificationRun),
  is_exact: Flag,
  as_told: Flag,
});

export const DEMO_OUTPUTS: readonly v.GenericSchema[] = [
  open({
    ok: Flag,
    folder: Text,
    relais: Text,
    duration_ms: Count,
    acts: v.array(open({ id: Text, title: Text, repository: Text, steps: v.array(v.union([Scene, Step])) })),
  }),
  open({ ok: v.literal(false), message: Text }),
];
