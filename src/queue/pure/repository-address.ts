/**
 * The name of a repository that several machines share: its host and path, without a user, a password, a protocol, a
 * slash at the end or `.git`. So the same repository has one name over ssh and https. Null for what is no such address.
 */
export function nameAddress(address: string): string | null {
  const plain = /^[\x21-\x7e]{1,2048}$/.test(address) ? address : "";
  const [, host, path] = URL_FORM.exec(plain) ?? SCP_FORM.exec(plain) ?? [];
  if (host === undefined || path === undefined) return null;
  const name = path.replaceAll(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  const isPlain =
    name !== "" && !host.startsWith("-") && !name.split("/").some((part) => /^(?:\.{0,2}|-.*)$/.test(part));
  return isPlain ? `${host.toLowerCase()}/${name}` : null;
}

/** The protocols that reach another machine, and files for repositories on a mounted disk. `ext::` would be a program. */
const URL_FORM = /^(?:https?|ssh|git|file):\/\/(?:[^/@\s]*@)?([^/@\s]*)(\/[^\s?#]*)$/;
const SCP_FORM = /^(?:[\w.-]+@)([\w.-]+):(?!:)([^\s?#]+)$/;
