import { expect, it } from 'vitest';
import { normaliseForBert } from '../../../../core/knowledge/embedding/minilm-onnx/word-piece-tokenizer.ts';

it.each([
  ['upper case becomes lower case', 'Reset MY Password', 'reset my password'],
  ['accents and umlauts are dropped', 'Über Gebühren, déjà vu, İzmir', 'uber gebuhren, deja vu, izmir'],
  ['a sharp s stays', 'Straße', 'straße'],
  ['a final sigma becomes an ordinary one', 'ΟΔΟΣ', 'οδοσ'],
  ['ideographs are separated', '密码a', ' 密  码 a'],
  ['ideographs beyond the basic plane are separated', '\u{20000}\u{20001}', ' \u{20000}  \u{20001} '],
  ['invisible characters are removed', 'a\u200bb\u00adc\ufeffd\u0000e\ufffd', 'abcde'],
  ['half a surrogate pair is removed', 'a\ud800b', 'ab'],
  ['tabs and line breaks stay', 'a\tb\r\nc', 'a\tb\r\nc'],
])('%s', (_guarantee, text, expected) => {
  expect(normaliseForBert(text)).toBe(expected);
});
