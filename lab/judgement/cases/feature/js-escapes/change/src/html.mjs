const SIGNS = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Makes a text safe inside of HTML. */
export function escapeHtml(text) {
  return text.replaceAll(/[&<>"]/g, (sign) => SIGNS[sign]);
}
