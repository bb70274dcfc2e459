/** Runs the checks that no agent sees, on what would be committed. Their files are in the place only meanwhile. */
import type { Finding } from "../records/judgement.ts";
import { listHeldOutFiles } from "./pure/held-out.ts";
import type { Check } from "./pure/verification-plan.ts";
import { copyInto } from "../system/copy-into.ts";
import { locateHeldOut } from "../journal/held-out-source.ts";
import { decodeChangePath } from "../evidence/change-bytes.ts";
import { type ChecksEnd, runAllChecks } from "./run-all-checks.ts";
import { runTrial } from "./run-trial.ts";
import type { VerifyRequest } from "./verify-request.ts";

type HeldOutEnd =
  (Extract<ChecksEnd, { kind: "ran" }> & { readonly finding: Finding | null }) | Exclude<ChecksEnd, { kind: "ran" }>;

export async function runHeldOut({
  context,
  heldOut,
}: Pick<VerifyRequest, "context" | "heldOut">): Promise<HeldOutEnd> {
  const { place, config, repository } = context;
  const files = listHeldOutFiles(config.verification);
  const kept = await place.remember();
  const tried = place.rewind(kept, heldOut.ignored.map(decodeChangePath));
  const paths = files.map(({ path }) => path);
  // The output of the setup is for agents, too, so it does not see the files.
  const afterSetup = (): void => {
    for (const { path, source } of files) copyInto(place.tree, path, locateHeldOut(source, repository));
  };
  const act = () => runAllChecks({ context, checks: heldOut.checks, base: null, inherits: false, afterSetup });
  const end = await runTrial(context, { kept, tried, heldOut: paths }, act);
  return end.kind === "ran" ? { ...end, finding: end.failed === null ? null : makeFinding(end.failed.check) } : end;
}

function makeFinding({ templateId, stopCode, heldOut }: Check): Finding {
  const where = heldOut?.isShared === false ? " A person reads its output with `relais log`." : "";
  const rule = heldOut === undefined ? "It fails before the held-out checks." : `This held-out check fails.${where}`;
  return { gate: "held-out", code: stopCode, subject: templateId, rule, glob: null };
}
