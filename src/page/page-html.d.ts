/** The page is imported as one text: `scripts/page-text.mjs` puts its style and its script inside. */
declare module "*.html" {
  const text: string;
  export default text;
}
