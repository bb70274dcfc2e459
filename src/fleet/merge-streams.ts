/** Takes from several sources whichever has something; ends when all have ended. */
export async function* mergeStreams<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T, void> {
  const iterators = sources.map((source) => source[Symbol.asyncIterator]());
  const pull = async (at: number): Promise<{ readonly at: number; readonly result: IteratorResult<T, unknown> }> => ({
    at,
    result: await (iterators[at]?.next() ?? { done: true, value: null }),
  });
  const pending = new Map(iterators.map((_, at) => [at, pull(at)]));
  try {
    while (pending.size > 0) {
      const { at, result } = await Promise.race(pending.values());
      if (result.done === true) pending.delete(at);
      else {
        pending.set(at, pull(at));
        yield result.value;
      }
    }
  } finally {
    for (const one of pending.values()) one.catch(() => null); // They end with their signal.
  }
}
