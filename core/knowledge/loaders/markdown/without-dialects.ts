const DETAILS_SHORTCODE = /\{\{[<%]\s*details\s[^\n]*?(?:summary|title)="([^"\n]*)"[^\n]*?[%>]\}\}/g;
const DETAILS_END_SHORTCODE = /\{\{[<%]\s*\/details\s*[%>]\}\}/g;
const TITLED_SHORTCODE =
  /\{\{[<%]\s*[\w-]+\s[^\n]*?(?:header|heading|title|summary|label)="([^"\n]*)"[^\n]*?[%>]\}\}/g;
const SHORTCODE = /\{\{[<%][^\n]*?[%>]\}\}/g;
const ATTRIBUTE_LIST = /[ \t]*\{:?[ \t]*[.#:][^{}\n]*\}[ \t]*$/gm;
const TABLE_OF_CONTENTS = /^[ \t]*(?:\[\[_TOC_\]\]|\[TOC\]|\{:toc\})[ \t]*$/gim;
const ADMONITION =
  /^[ \t]*:{3,}[ \t]*(?:[a-z]+[ \t]*)?(?:\[([^\]\n]*)\]|([^\n{]*))?(?:\{[^}\n]*\})?[ \t]*$/gim;
const ALERT = /^([ \t]*>[ \t]*)\[!\w+\][ \t]*/gm;

/** Takes out what Hugo, Kramdown, Docusaurus, GitLab and GitHub add to Markdown, and keeps the text within it. */
export function withoutDialects(markdown: string): string {
  return markdown
    .replace(DETAILS_SHORTCODE, '\n\n<details><summary>$1</summary>\n\n')
    .replace(DETAILS_END_SHORTCODE, '\n\n</details>\n\n')
    .replace(TITLED_SHORTCODE, '\n\n$1\n\n')
    .replace(SHORTCODE, '')
    .replace(ATTRIBUTE_LIST, '')
    .replace(TABLE_OF_CONTENTS, '')
    .replace(ADMONITION, '\n$1$2\n')
    .replace(ALERT, '$1');
}
