import { describe, expect, test } from 'vitest';
import { compareUnits } from '../../../../core/knowledge/facts/compare-facts.ts';
import { toDayNumber, type UnitFacts } from '../../../../core/knowledge/facts/fact.ts';
import { readFacts } from '../../../../core/knowledge/facts/read-facts.ts';
import { passageUnits } from '../../../../core/knowledge/passage-units.ts';

const today = toDayNumber(new Date('2026-11-27'));
/** The similarity of sentences that are about the same. */
const near = { cosine: 0.8, today };

interface Page {
  readonly title: string;
  readonly body: string;
}

function unitOf({ title, body }: Page): UnitFacts {
  const [unit] = readFacts({ title, headings: [], body }, passageUnits(body));
  if (unit === undefined) throw new Error(`no unit in ${body}`);
  return unit;
}

const compare = (one: string, other: string, titles: readonly [string, string] = ['Help', 'FAQ']) =>
  compareUnits(unitOf({ title: titles[0], body: one }), unitOf({ title: titles[1], body: other }), near);

const table = (head: string, row: string) =>
  `| ${head} |\n|${' --- |'.repeat(head.split('|').length)}\n| ${row} |`;

describe('contradictions', () => {
  test('two sentences in other words', () => {
    expect(
      compare(
        'You can return lamps within 30 days.',
        'Returns of lamps are accepted up to 14 days after delivery.',
      ),
    ).toEqual({
      kind: 'duration',
      values: ['720 hours', '336 hours'],
      texts: ['30 days', '14 days'],
    });
  });

  test('a sentence and a row', () => {
    const row = table('Plan | Storage', 'Hazel | 80 GB');
    expect(compare('The Hazel plan includes 50 GB of storage.', row)?.texts).toEqual(['50 GB', '80 GB']);
  });

  test('yes and no', () => {
    expect(compare('Dogs are allowed in our shop.', 'Dogs are not allowed in our shop.')?.values).toEqual([
      'yes',
      'no',
    ]);
  });

  test('an undated sentence and a period that goes on', () => {
    const since = 'From 1 March 2025 the pass costs €6.';
    expect(compare(since, 'The pass costs €5.')?.kind).toBe('number');
  });
});

describe('no contradictions', () => {
  test.each([
    ['the same value in another spelling', 'The pass costs €1,299.00.', 'The pass costs 1.299,00 €.'],
    ['the same time', 'The tour starts at 14:30.', 'The tour starts at 2.30 pm.'],
    ['a range and a part of it', 'Refunds take 3 to 5 days.', 'Refunds take five days.'],
    ['four weeks and a month', 'The notice period is four weeks.', 'The notice period is one month.'],
    ['a word that tells two things apart', 'Standard delivery costs €5.', 'Express delivery costs €12.'],
    ['a restriction', 'The ticket costs €5 for students.', 'The ticket costs €7.'],
    ['one of a pair without its adjective', 'Express delivery costs €12.', 'Delivery costs €5.'],
    ['what is measured', 'The card needs a deposit of €20.', 'The card has a fee of €5.'],
    ['a negation', 'With a reservation a seat costs €10.', 'Without a reservation a seat costs €14.'],
    ['another currency', 'The pass costs €5.', 'The pass costs $6.'],
    ['a period that is over', 'Until 31 December 2024 the pass costs €4.', 'The pass costs €5.'],
    ['two periods', 'In 2025 the pass costs €4.', 'In 2026 the pass costs €5.'],
    ['a season', 'From 1 May to 30 September we open at 8:00.', 'We open at 10:00.'],
    ['another version', 'Version 1 of Alder allows 5 projects.', 'Version 2 of Alder allows 50 projects.'],
    ['another day', 'On Mondays the clinic closes at 18:00.', 'On Saturdays the clinic closes at 13:00.'],
  ])('%s', (_, one, other) => {
    expect(compare(one, other)).toBeNull();
    expect(compare(other, one)).toBeNull();
  });

  test('another row, or another column', () => {
    const head = 'Plan | Storage | Memory';
    expect(compare(table(head, 'Basic | 10 GB | 4 GB'), table(head, 'Team | 20 GB | 8 GB'))).toBeNull();
    const [storage, memory] = [
      table('Plan | Storage', 'Team | 10 GB'),
      table('Plan | Memory', 'Team | 8 GB'),
    ];
    expect(compare(storage, memory)).toBeNull();
  });

  test('pages of a series', () => {
    const titles = ['Opening hours Berlin', 'Opening hours Hamburg'] as const;
    expect(compare('We open at 9:00.', 'We open at 10:00.', titles)).toBeNull();
  });

  test('units whose vectors are far apart', () => {
    const [one, other] = ['The pass costs €5.', 'The pass costs €6.'].map((body) =>
      unitOf({ title: 'Help', body }),
    );
    if (one === undefined || other === undefined) throw new Error('no units');
    expect(compareUnits(one, other, near)).not.toBeNull();
    expect(compareUnits(one, other, { cosine: 0.3, today })).toBeNull();
  });
});
