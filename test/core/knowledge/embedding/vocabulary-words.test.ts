import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readVocabularyWords } from '../../../../core/knowledge/embedding/vocabulary-words.ts';

test('the vocabulary has the English words with which spelling was measured', () => {
  const words = readVocabularyWords();
  expect(words).toHaveLength(21_358);
  const sorted = words.toSorted().join(' ');
  expect(createHash('sha256').update(sorted).digest('hex')).toBe(
    '9e457b05d236249c37e41aee70cd8e35871cf28181d9f06c23f6492f3df8ec90',
  );
});
