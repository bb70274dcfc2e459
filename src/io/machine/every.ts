/** Does something again and again until it is told to stop. It keeps no process alive that has nothing else to do. */
export function repeatEvery(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms);
  timer.unref();
  return () => clearInterval(timer);
}
