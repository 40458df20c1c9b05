import type { Reply } from '../../../core/contract/outbound.ts';

const sentence = (index: number) =>
  `Sentence ${index} of the answer tells **what matters** & when it is < 5 days, _as agreed_ 👩‍👩‍👧‍👦. `;
const links = Array.from(
  { length: 10 },
  (_, index) => `- [Page ${index} of the help](https://help.example/page-${index}?a=1&b=2)`,
);
const table = ['| Plan | Price | For whom |', '| --- | ---: | --- |'].concat(
  Array.from({ length: 12 }, (_, index) => `| Plan ${index} | ${index},00 € | teams of ${index} |`),
);
const code = Array.from(
  { length: 60 },
  (_, index) => `const value${index} = other${index} < ${index} && "text";`,
);
const text = [
  '# What you asked',
  ...Array.from({ length: 4 }, (_, part) =>
    Array.from({ length: 12 }, (_, index) => sentence(12 * part + index)).join(''),
  ),
  ...[table, links].map((lines) => lines.join('\n')),
  `\`\`\`typescript\n${code.join('\n')}\n\`\`\``,
].join('\n\n');

/** A reply of the length that an answer may have, with everything that is hard to part. */
export const longestReply: Reply = {
  author: 'bot',
  offers: ['feedback', 'human'],
  handover: false,
  text: text + '\n\nThe end.'.padEnd(Math.max(9, 9_000 - text.length), ' so'),
  sources: [0, 1, 2].map((index) => ({ title: `Source <${index}>`, url: `https://help.example/${index}` })),
  replyTo: null,
};
