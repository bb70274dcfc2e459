/** Which pieces of the code ran, by V8's precise coverage of this process. */
import { Session } from "node:inspector";

export interface Coverage {
  /** What ran since the last call: a piece of code with how often it ran, roughly. */
  readonly take: () => readonly string[];
  readonly stop: () => void;
}

/** Of the script with this address alone. */
export function watchCoverage(url: string): Coverage {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const take = (): readonly string[] => {
    const features: string[] = [];
    session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error !== null) throw new Error(`V8 gives no coverage: ${error.message}`);
      for (const script of answer.result)
        if (script.url === url)
          for (const { ranges } of script.functions)
            for (const { startOffset, endOffset, count } of ranges)
              if (count > 0) features.push(`${startOffset}-${endOffset}:${bucket(count)}`);
    });
    return features;
  };
  return {
    take,
    stop: () => {
      session.disconnect();
    },
  };
}

/** 1, 2, 3, 4 to 7, 8 to 15 and so on up to 128: a loop that runs once more is not news. */
function bucket(count: number): number {
  return count < 4 ? count : 2 ** Math.min(7, Math.floor(Math.log2(count)));
}
