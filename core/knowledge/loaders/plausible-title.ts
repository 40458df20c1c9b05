const PLACEHOLDER =
  /^(?:untitled|no title|document|title|pdf|doc|slide|presentation|microsoft (?:word|powerpoint|excel))\W*\d*$/i;
const FILE_NAME = /\.(?:docx?|pdf|odt|rtf|txt|indd|tex|dvi|pptx?|xlsx?|html?|md)$/i;

/** A title out of a file's properties, or null for what programs leave there: file names and placeholders. */
export function plausibleTitle(title: unknown): string | null {
  if (typeof title !== 'string') return null;
  const text = title.replace(/\s+/g, ' ').trim();
  const plausible =
    /\p{L}{2}/u.test(text) && !PLACEHOLDER.test(text) && !FILE_NAME.test(text) && text.length <= 300;
  return plausible ? text : null;
}
