import type { RequestGrammar } from './request-grammar.ts';

/** Whether a sentence of plain speech is such a request in one of the languages. */
export function requestMatcher(grammars: readonly RequestGrammar[]): (sentence: string) => boolean {
  const patterns = grammars.flatMap((grammar) => [requestPattern(grammar), barePattern(grammar)]);
  return (sentence) => patterns.some((pattern) => pattern.test(sentence));
}

function requestPattern({ openers, links, requests, tails, closers }: RequestGrammar): RegExp {
  const start = `(?:^|(?<=^| )(?:${[',', ...links].join('|')}) )(?:(?:${[',', ...openers].join('|')}) ){0,12}`;
  const end = `(?= *$| (?:${[',', ...closers, ...tails].join('|')})(?: |$))`;
  return new RegExp(`${start}(?:${requests.join('|')})${end}`, 'u');
}

/** Such a request is the whole sentence, or the end of one where it is asked for politely: `it is broken, agent please`. */
function barePattern({ openers, bare, closers }: RequestGrammar): RegExp {
  const before = `(?:(?:${[',', ...openers].join('|')}) ){0,12}`;
  const after = `(?: (?:${[',', ...closers].join('|')}))`;
  return new RegExp(
    `(?:^${before}(?:${bare.join('|')})${after}*|(?<= , )(?:${bare.join('|')})${after}+)$`,
    'u',
  );
}
