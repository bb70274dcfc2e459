export const pad = (text, width) => String(text).padStart(width, "0");
