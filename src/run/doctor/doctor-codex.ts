import { codexSettings } from "../../agents/codex/codex-settings.ts";
import { type CodexStatus, codexStatus } from "../../agents/codex/codex-status.ts";
import { type DoctorCheck, ok, warn } from "../../core/setup/doctor-check.ts";
import { optionsTrouble, type ProgramQuestion, severity, statusWords } from "./doctor-status.ts";

/** Whether codex would answer a role. No model is asked. */
export async function codexCheck(question: ProgramQuestion): Promise<DoctorCheck> {
  const { role, program, config, environment } = question;
  const settings = codexSettings(config, role);
  const status = await codexStatus({ program, role, settings, environment, names: config.env.agents });
  const words = wordsOf(question, status);
  return optionsTrouble(question, words, status) ?? loginTrouble(question, words, status) ?? ok(role, words);
}

/** With a provider of one's own, a login with codex is beside the point. */
function wordsOf(question: ProgramQuestion, status: CodexStatus): string {
  const { provider } = status;
  if (provider === null) return statusWords("codex", question, status);
  return `${statusWords("codex", question, { ...status, login: "unknown" })}, with the provider ${provider.name}`;
}

function loginTrouble(
  question: ProgramQuestion,
  words: string,
  { login, provider }: CodexStatus,
): DoctorCheck | null {
  const { role } = question;
  if (provider !== null) {
    if (provider.hasKey) return null;
    return severity(question)(role, {
      message: `${words}, cannot find its key: ${provider.variable ?? ""} is not passed to sessions.`,
      fix: `Set ${provider.variable ?? ""} and add it to env.agents.`,
    });
  }
  if (login === "none")
    return severity(question)(role, {
      message: `${words}, is not logged in.`,
      fix: "Type `codex login`, or set CODEX_API_KEY. OPENAI_API_KEY alone is not used by codex.",
    });
  if (login !== "unknown") return null;
  return warn(role, {
    message: `${words}, does not say whether it is logged in.`,
    fix: "Try `codex login status`; a newer codex answers it.",
  });
}
