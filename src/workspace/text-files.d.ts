/** A text file is imported as what it says: the bundler knows how, and `vitest.config.ts` tells the tests. */
declare module "*.txt" {
  const text: string;
  export default text;
}
