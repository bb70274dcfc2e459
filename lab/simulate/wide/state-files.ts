/**
 * What relais keeps outside the repository: observations, salvage, evidence. What it wrote is safe from a power cut once a
 * line of the journal demanded it.
 */
export class StateFiles {
  readonly #files = new Map<string, { readonly value: unknown; isSafe: boolean }>();

  write(path: string, value: unknown): void {
    this.#files.set(path, { value, isSafe: false });
  }

  read(path: string): unknown {
    return this.#files.get(path)?.value;
  }

  remove(path: string): void {
    for (const name of this.#files.keys()) if (name === path || name.startsWith(`${path}/`)) this.#files.delete(name);
  }

  list(): Iterable<readonly [string, unknown]> {
    return [...this.#files].map(([path, { value }]) => [path, value] as const);
  }

  sync(): void {
    for (const file of this.#files.values()) file.isSafe = true;
  }

  /** Those that no sync has saved may be lost. */
  cutPower(isLost: () => boolean): void {
    for (const [path, { isSafe }] of this.#files) if (!isSafe && isLost()) this.#files.delete(path);
  }
}
