import { expect, test } from 'vitest';
import { keyWords, preferKeyWords } from '../../../../core/answering/extractive/key-words.ts';
import { scoreSentences } from '../../../../core/answering/extractive/score-sentences.ts';
import { weighQuestion } from '../../../../core/knowledge/ranking/analyse-question.ts';
import { readAnswerCue } from '../../../../core/knowledge/ranking/answer-cue.ts';
import { createWordMatcher } from '../../../../core/knowledge/ranking/match-words.ts';
import { searchSmallIndex } from '../../../helpers/stores/knowledge/small-index.ts';

/** Returns by how much the key words of a question lower each unit of a passage. */
function lowered(question: string, body: string, message = question): readonly number[] {
  const found = searchSmallIndex(question, [{ id: 'a', body }]);
  const weighed = weighQuestion(found.question, found.statistics);
  const scorer = {
    ...{ question: weighed, match: createWordMatcher(weighed) },
    ...{ cue: readAnswerCue(question), asked: question.toLowerCase() },
  };
  const passages = found.ranked.map((passage) => ({ passage, sentences: scoreSentences(passage, scorer) }));
  const before = passages.flatMap(({ sentences }) => sentences);
  const after = preferKeyWords(passages, keyWords(question, message, 'en'));
  return after
    .flatMap(({ sentences }) => sentences)
    .map(({ score }, index) => Number(((before[index]?.score ?? 0) - score).toFixed(2)));
}

test('a sentence need not repeat the names of the question', () => {
  const body =
    'Harbour House has engaged Navex for its Code of Conduct. The tool is called EthicsPoint.\n- The Code of Conduct is for all.';
  expect(lowered('Which tool does Navex provide for the Code of Conduct?', body)).toEqual([0, 0, 0]);
});

test('a row must hold the name or number that tells it from the others of its table', () => {
  const body = 'We ship abroad.\n\n| To | Price |\n| --- | --- |\n| Norway | £18 |\n| Spain | £13 |';
  expect(lowered('What is the price to Norway?', body)).toEqual([0, 0, 0.15]);
  const boxes = '| Length | Price |\n| --- | --- |\n| 3 months | £45 |\n| 6 months | £87 |';
  expect(lowered('What does a six month box cost?', boxes)).toEqual([0.15, 0]);
});

test('any unit must hold the words of the message itself in a conversation', () => {
  const body = 'The plan costs £15 a month. The plan can be cancelled at any time.';
  expect(lowered('cancel plan', body, 'can it be cancelled?')).toEqual([0.15, 0]);
});
