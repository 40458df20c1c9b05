import { termHash } from '../knowledge/term-hash.ts';
import { foldedWords } from '../knowledge/tokenise.ts';
import { isUnspaced, wordTokens } from '../knowledge/word-tokens.ts';

/** A message of more different words than this is found by its first ones: no index entry may grow without end. */
const mostTerms = 2_000;

/**
 * What a message is found by: the distinct hashes of its words, of any language, in 32 bits each. A search asks for
 * the terms of its own words, so both sides are made here. They are hashed together with the workspace's id, so that
 * no workspace's searches walk through the lists of another. Deterministic.
 */
export function messageTerms(workspaceId: string, text: string): readonly number[] {
  const terms = new Set<number>();
  for (const word of foldedWords(text, 'stems')) {
    for (const token of searchTokens(word)) {
      if (terms.size === mostTerms) return [...terms];
      terms.add(termHash(`${workspaceId} ${token}`));
    }
  }
  return [...terms];
}

/**
 * Unlike the index of documents this one has no notion of a language, for a search of two words tells too little of
 * it; and it keeps stop words, for who looks for "not" means it. Where no space parts words, every character and
 * every pair counts: where a dictionary would part them depends on what stands around them.
 */
function searchTokens(word: string): readonly string[] {
  if (isUnspaced(word)) {
    const characters = Array.from(word);
    return [
      ...characters,
      ...characters.slice(1).map((character, index) => `${characters[index]}${character}`),
    ];
  }
  const tokens = wordTokens(word, 'stems');
  return tokens.length === 0 ? [word] : tokens;
}
