/** Returns the text of a line of reStructuredText without its marks. */
export function plainRst(text: string): string {
  return text
    .replace(/:(?:[\w-]{1,30}:){1,3}`([^`\n]{1,500})`/g, (_, inner: string) => linkText(inner))
    .replace(/``([^`\n]{1,1000})``/g, '$1')
    .replace(/`([^`\n]{1,500})`_{0,2}/g, (_, inner: string) => linkText(inner))
    .replace(/\*\*([^*\n]{1,500})\*\*/g, '$1')
    .replace(/(?<![\w*])\*([^*\s][^*\n]{0,500})\*(?![\w*])/g, '$1')
    .replace(/\|([^|\s][^|\n]{0,50})\|_{0,2}/g, '$1')
    .replace(/\s?\[#?[\w-]{0,30}\]_/g, '')
    .replace(/(?<=\w)__?(?=[\s.,;:!?)]|$)/g, '')
    .replace(/\\([^\w\s])/g, '$1');
}

/** `text <target>` is shown as its text, and `~package.name` as its last part. */
function linkText(inner: string): string {
  const shown = /^([^<]{0,500})<[^<>]{1,500}>$/.exec(inner)?.[1]?.trim();
  if (shown !== undefined && shown !== '') return shown;
  return inner.startsWith('~') ? inner.slice(inner.lastIndexOf('.') + 1) : inner.replace(/^!/, '');
}
