import * as v from "valibot";

export const limitedText = (maxLength: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(maxLength));

export const limitedTexts = ({ maxLength, maxItems }: { maxLength: number; maxItems: number }) =>
  v.pipe(v.array(limitedText(maxLength)), v.maxLength(maxItems));
