/** A text as sentences. What looks like the end of one behind a number, as in `21. November`, is none. */
export function splitSpeech(text: string, tag: string): readonly string[] {
  const segments = [...new Intl.Segmenter(tag, { granularity: 'sentence' }).segment(text)];
  const sentences: string[] = [];
  for (const { segment } of segments) {
    const before = sentences.at(-1);
    if (before !== undefined && /(?:\b\d{1,2}|\b\p{L})\.\s*$/u.test(before)) {
      sentences[sentences.length - 1] = before + segment;
    } else sentences.push(segment);
  }
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}
