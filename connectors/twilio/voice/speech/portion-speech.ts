/** Half a minute of talk: more than that nobody listens to without being asked. */
const PORTION = 420;
/** What begins to be read soon. */
const FIRST = 110;

/** Sentences in portions that a caller can be expected to listen to, none of which is empty; each begins with a short one. */
export function portionSpeech(sentences: readonly string[]): readonly (readonly string[])[] {
  const portions: string[][] = [];
  let length = 0;
  for (const sentence of sentences.flatMap((one) => cut(one, PORTION))) {
    const last = portions.at(-1);
    if (last === undefined || length + sentence.length > PORTION) {
      portions.push([sentence]);
      length = sentence.length;
    } else {
      last.push(sentence);
      length += sentence.length;
    }
  }
  return portions.map(([first = '', ...others]) => [...withShortBeginning(first), ...others]);
}

/** A long first sentence is begun at its first clause, and goes on without a pause. */
function withShortBeginning(sentence: string): readonly string[] {
  if (sentence.length <= FIRST) return [sentence];
  const clause = /^.{20,110}?[,;:](?=\s)/u.exec(sentence)?.[0];
  return clause === undefined ? [sentence] : [clause, sentence.slice(clause.length).trim()];
}

function cut(sentence: string, most: number): readonly string[] {
  if (sentence.length <= most) return [sentence];
  const room = sentence.slice(0, most);
  const space = Math.max(room.lastIndexOf(', ') + 1, room.lastIndexOf(' '));
  // Where no space parts words, no letter is cut in two.
  const at = space > 0 ? space : most - (/[\uD800-\uDBFF]$/.test(room) ? 1 : 0);
  return [sentence.slice(0, at).trim(), ...cut(sentence.slice(at).trim(), most)];
}
