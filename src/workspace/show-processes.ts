import type { Environment } from "../base/environment.ts";
import { type ProcessNote, withProcessNotes } from "../system/process-notes.ts";
import { redactSecrets, listSecrets } from "../system/redact-secrets.ts";

/** Reports each process that the work starts, with secrets redacted. */
export function showProcesses<T>(
  {
    environment,
    onProcess,
  }: { readonly environment: Environment; readonly onProcess: (note: Omit<ProcessNote, "env">) => void },
  work: () => Promise<T>,
): Promise<T> {
  const show = ({ argv, env, ...note }: ProcessNote): void => {
    const secrets = [env, environment].flatMap((variables) => listSecrets(dropUndefined(variables)));
    const hide = (word: string): string => redactSecrets(Buffer.from(word), secrets).toString("utf8");
    onProcess({ ...note, argv: argv.map(hide) });
  };
  return withProcessNotes(show, work);
}

function dropUndefined(variables: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
