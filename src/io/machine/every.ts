/** Repeats an act until the returned function is called. It does not keep the process alive. */
export function repeatEvery(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms);
  timer.unref();
  return () => clearInterval(timer);
}
