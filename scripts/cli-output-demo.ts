/** What `relais demo` prints with `--json`. */
import * as v from "valibot";
import { AnyCode, AnyVerdict } from "../src/contract/values/any-code.ts";
import { RunId } from "../src/contract/values/identifier.ts";
import { Finding } from "../src/contract/evidence/judgement.ts";
import { Count } from "../src/contract/values/quantity.ts";
import { VerificationRun } from "../src/contract/documents/report.ts";

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
