/** The module `node:async_hooks` of a simulated process, as far as relais uses it. */

/**
 * What work keeps for everything below it. Node follows each promise for that, at a tenth of the cost of a tick. relais
 * has one scope inside the other and never two side by side, so that the newest one which has not ended is meant.
 */
export class Scope<T> {
  #values: { readonly value: T }[] = [];

  getStore(): T | undefined {
    return this.#values.at(-1)?.value;
  }

  run<Result>(value: T, work: () => Result): Result {
    const own = { value };
    this.#values.push(own);
    const leave = (): void => void (this.#values = this.#values.filter((one) => one !== own));
    let result: Result;
    try {
      result = work();
    } catch (error) {
      leave();
      throw error;
    }
    if (result instanceof Promise) result.then(leave, leave);
    else leave();
    return result;
  }

  /** A process that was killed left its scopes open. */
  forget(): void {
    this.#values = [];
  }
}
