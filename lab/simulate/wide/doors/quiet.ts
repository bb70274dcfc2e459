/** What changes nothing in the model. */
const SHA = "0".repeat(64);
const nothing = (): void => {};
const done = (): Promise<void> => Promise.resolve();
const none = (): Promise<null> => Promise.resolve(null);
const empty = (): Promise<readonly never[]> => Promise.resolve([]);

// io/files
export const copyBeginning = done;
export const isFile = (): boolean => false;
export const isFolder = (): boolean => true;
export const setFolderAside = nothing;
export const leadsOutside = (): boolean => false;
export const removeStrays = nothing;
export const removeLeftFolders = nothing;
export const removePlaces = done;
export const locateTemporaryRoot = (): string => "/tmp";
export const locateSandboxes = (): string => "/sandboxes";
export const rescueFiles = (): number => 0;
export const readLeftFile = (): Promise<object> => Promise.resolve({ kind: "missing" });
export const removeLeftFile = done;
export const afterBoot = done;
export const rememberRepository = done;
export const rememberGitVersion = nothing;
export const clearAttempts = done;
export const removeAttempts = nothing;
export const locateAttempts = (folder: string): string => folder;
export const syncNow = nothing;

// io/git, io/process
export const isPrivateStill = (): Promise<boolean> => Promise.resolve(true);
export const readCommit = (): Promise<object> => Promise.resolve({ message: null });
export const reapTick = (): Promise<object> => Promise.resolve({ undead: [] });
export const nameTickMarker = (runId: string): string => runId;
export const readFilterSettings = (): Promise<object> => Promise.resolve({ excludesFile: null });
export const commitIdentity = (): Promise<object> => Promise.resolve({ name: "relais", email: "relais@example.com" });
export const runByGit = empty;
export const pinHooks = none;
export const findInsidePrograms = empty;
export const readRecipes = (): ReadonlyMap<string, string> => new Map();
export const isSameIndex = (): Promise<boolean> => Promise.resolve(true);
export const watchReads = () => (): ReadonlyMap<string, string> => new Map();
export const isAncestor = (): Promise<boolean> => Promise.resolve(true);
export const readOwnIdentity = (): Promise<object> => Promise.resolve({ bootId: "boot" });

// run
export const notify = none;
export const runHandoff = none;
export const archiveMilestones = empty;
export const compactGrownContent = empty;
export const chooseSandbox = none;
export const probeTickSandbox = (): Promise<object> => Promise.resolve({ kind: "ready" });
export const chooseIsolation = (): Promise<object> => Promise.resolve({ isolation: "in_place", refusals: {} });
export const makeWorkspace = done;
export const restorePublished = done;
export const rememberStatus = nothing;
export const removeHalfWritten = nothing;
export const listDamagedDocuments = empty;
export const findSeriesBranchInTheWay = none;
export const readSeriesBranch = ({ head }: { readonly head: { readonly text: string } }): Promise<string> =>
  Promise.resolve(head.text);
export const refuseMissingCheck = none;
export const findMissingProgram = none;
export const describeAgentProgram = (): object => ({ mode: "command", program: null });
export const refuseUnwritable = (): null => null;
export const noteTrial = done;
export const endTrial = nothing;
export const clearHeldOut = nothing;
export const readTriedWork = none;
export const completeForPerson = <T>(report: T): T => report;
export const comparePrompt = (): object => ({ bytes: 1, shared_bytes: null, sections: {} });
export const readChangePatch = (): Promise<object> => Promise.resolve({ patch: "", leftOut: [] });
export const signSettlement = none;
export const makeTreeSigner = (): null => null;
export const findSigningProblem = none;
export const makeHookRun = (): null => null;
export const measureHistory = (): Promise<number> => Promise.resolve(0);
export const growHistory = <T>(_place: unknown, _runId: unknown, publish: () => Promise<T>): Promise<T> => publish();
export const openPublication = (): Promise<object> => Promise.resolve({ document: none });
export const listUnprovenSteps = empty;
export const listUnprovenPlaces = empty;
export const refuseUnproven = (): never => {
  throw new Error("nothing is unproven in the model");
};
export const takeLeftAttempts = none;
export const rebuildState = done;
export const keepTestReport = (): Promise<string> => Promise.resolve(SHA);
export const findOwnProgram = none;
export const checkWritable = (): null => null;
export const checkOperation = (): null => null;
export const checkGitLock = none;
export const checkFilters = none;
export const checkCheckPrograms = none;
export const checkHeldOut = (): null => null;
export const checkSigning = none;
export const checkGoal = (): null => null;
