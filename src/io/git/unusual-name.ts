/** Names that some file system may take for `.git`, invisible characters included. Git knows them all. */
const UNUSUAL = /(?:^|\/)(?:\.{0,2}(?:\/|$)|\.git(?:[ .~/]|$)|gi[t7][^/]*~)|[\\:]|\xe2[\x80\x81]|\xef\xbb/i;

/** Whether git must decide what a path means; `path` is a byte path. */
export function isUnusualName(path: string): boolean {
  return UNUSUAL.test(path);
}
