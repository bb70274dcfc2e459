import { makeCodexSettings } from "../../agents/codex/codex-arguments.ts";
import { type CodexStatus, readCodexStatus } from "../../agents/codex/codex-status.ts";
import { type DoctorCheck, ok, warn } from "../../core/setup/doctor-check.ts";
import { findOptionsTrouble, type DoctorQuestion, rankSeverity, describeStatus } from "./doctor-status.ts";

/** Whether codex would answer a role. No model is asked. */
export async function checkCodex(question: DoctorQuestion): Promise<DoctorCheck> {
  const { role, program, config, environment } = question;
  const settings = makeCodexSettings(config, role);
  const status = await readCodexStatus({ program, role, settings, environment, names: config.env.agents });
  const words = describeCodex(question, status);
  return findOptionsTrouble(question, words, status) ?? findLoginTrouble(question, words, status) ?? ok(role, words);
}

/** With a provider of one's own, a login with codex is beside the point. */
function describeCodex(question: DoctorQuestion, status: CodexStatus): string {
  const { provider } = status;
  if (provider === null) return describeStatus("codex", question, status);
  return `${describeStatus("codex", question, { ...status, login: "unknown" })}, with the provider ${provider.name}`;
}

function findLoginTrouble(
  question: DoctorQuestion,
  words: string,
  { login, provider }: CodexStatus,
): DoctorCheck | null {
  const { role } = question;
  if (provider !== null) {
    if (provider.hasKey) return null;
    return rankSeverity(question)(role, {
      message: `${words}, cannot find its key: ${provider.variable ?? ""} is not passed to sessions.`,
      fix: `Set ${provider.variable ?? ""} and add it to env.agents.`,
    });
  }
  if (login === "none")
    return rankSeverity(question)(role, {
      message: `${words}, is not logged in.`,
      fix: "Type `codex login`, or set CODEX_API_KEY. OPENAI_API_KEY alone is not used by codex.",
    });
  if (login !== "unknown") return null;
  return warn(role, {
    message: `${words}, does not say whether it is logged in.`,
    fix: "Try `codex login status`; a newer codex answers it.",
  });
}
