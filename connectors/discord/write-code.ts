import type { CodeBlock } from '../shared/markdown/block.ts';

/** Takes no room, and keeps apart what would be read as one. */
const JOINER = '\u200b';

/** A fence within the code would end it. */
export function writeCode({ language, text }: CodeBlock): string {
  const name = language !== null && /^[\w+#.-]{1,32}$/.test(language) ? language : '';
  const inner = text.replaceAll('```', `\`\`${JOINER}\``);
  return `\`\`\`${name}\n${inner}\n\`\`\``;
}

/** Within a line. Null for what no number of marks can hold. */
export function writeInlineCode(text: string): string | null {
  const line = text.replaceAll('\n', ' ');
  if (line.trim() === '' || line.includes('``')) return null;
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}
