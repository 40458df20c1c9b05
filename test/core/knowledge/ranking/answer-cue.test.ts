import { describe, expect, it } from 'vitest';
import { readAnswerCue } from '../../../../core/knowledge/ranking/answer-cue.ts';

describe('readAnswerCue', () => {
  it.each([
    ['When was the mill built?', 'It was built in 1784.', 'It was built of oak.'],
    ['How many rooms are there?', 'There are twelve rooms.', 'The rooms are bright.'],
    ['What percentage is refunded?', 'You get 80 percent back.', 'You get your money back.'],
    ['Who painted the ceiling?', 'The ceiling was painted by Odo Vance.', 'The ceiling was painted white.'],
    ['Where is the head office?', 'The head office is in Oakmere.', 'The head office is a tall building.'],
    ['Until what time is the café open?', 'The café is open until 4.30 pm.', 'The café is open.'],
    ['Wie viele Zimmer gibt es?', 'Es gibt zwölf bis 14 Zimmer.', 'Die Zimmer sind hell.'],
    ['¿Cuándo abre la tienda?', 'La tienda abre el 3 de mayo.', 'La tienda es grande.'],
    ['有多少房间？', '这里有十二个房间。', '房间很明亮。'],
  ])('prefers a sentence with the kind of thing asked for: %s', (question, right, wrong) => {
    const { score: cue } = readAnswerCue(question);
    expect(cue(right)).toBeGreaterThan(cue(wrong));
  });

  it('does not take a name from the question for its answer', () => {
    const { score: cue } = readAnswerCue('Who taught Odo Vance to paint?');
    expect(cue('As a boy Odo Vance learnt to paint.')).toBe(0);
  });

  it('has no preference if the question asks for no particular kind of thing', () => {
    const { score: cue } = readAnswerCue('Why is the door locked?');
    expect(cue('In 1784 it was locked.')).toBe(cue('It is locked at night.'));
  });

  it('does not ask for a number if the phone is only how something is done', () => {
    expect(readAnswerCue('Can I order over the phone?').isTold).toBe(false);
    expect(readAnswerCue('What is your phone number?').isTold).toBe(true);
  });
});
