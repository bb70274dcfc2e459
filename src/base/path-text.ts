/** Byte strings as text for globs, reports and people. */

export interface PathText {
  readonly text: string;
  /** The exact bytes, only if they are not valid UTF-8. */
  readonly base64: string | null;
}

// A name may start with a byte order mark; a decoder that drops it would make two names one.
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function decodePath(bytes: string): PathText {
  if (!/[\u0080-\u00ff]/.test(bytes)) return { text: bytes, base64: null };
  try {
    return { text: UTF8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))), base64: null };
  } catch {
    const text = bytes.replaceAll(/[\u0080-\u00ff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
    return { text, base64: btoa(bytes) };
  }
}
