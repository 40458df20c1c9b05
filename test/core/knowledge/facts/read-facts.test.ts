import { describe, expect, test } from 'vitest';
import { describeValue, toDayNumber, type UnitFacts } from '../../../../core/knowledge/facts/fact.ts';
import { readFacts } from '../../../../core/knowledge/facts/read-facts.ts';
import { passageUnits } from '../../../../core/knowledge/passage-units.ts';

function read(body: string, title = 'Page'): readonly UnitFacts[] {
  return readFacts({ title, headings: [], body }, passageUnits(body));
}

const valuesIn = (body: string) =>
  read(body).flatMap(({ facts }) => facts.map(({ value }) => `${value.kind}: ${describeValue(value)}`));

describe('values that are written in different ways', () => {
  test.each([
    ['It costs 1,299.00 euros.', 'number: 1299 EUR'],
    ['Es kostet 1.299,00 €.', 'number: 1299 EUR'],
    ['Il coûte 1 299 €.', 'number: 1299 EUR'],
    ['It costs EUR 1299.', 'number: 1299 EUR'],
    ['Es kostet 5,- €.', 'number: 5 EUR'],
    ['The price is $0.125 each.', 'number: 0.125 USD'],
    ['The warranty is 24 months.', 'duration: 24 months'],
    ['The warranty is two years.', 'duration: 24 months'],
    ['It has a two-year warranty.', 'duration: 24 months'],
    ['Die Garantie beträgt zwei Jahre.', 'duration: 24 months'],
    ['It takes 90 minutes.', 'duration: 1.5 hours'],
    ['It takes 2 to 3 days.', 'duration: 48-72 hours'],
    ['It takes five working days.', 'duration: 5 workdays'],
    ['Der Versand dauert 5 Werktage.', 'duration: 5 workdays'],
    ['The tour starts at 14:30.', 'time: 14:30'],
    ['The tour starts at 2.30 pm.', 'time: 14:30'],
    ['The tour starts at 2:30 p.m. sharp.', 'time: 14:30'],
    ['Die Tour beginnt um 14.30 Uhr.', 'time: 14:30'],
    ['We are open from 9 to 17:30.', 'time: 09:00-17:30'],
    ['Lunch is at noon.', 'time: 12:00'],
    ['The fair is on 3 May.', 'date: --05-03'],
    ['The fair is on the 3rd of May.', 'date: --05-03'],
    ['Die Messe ist am 03.05. geplant.', 'date: --05-03'],
    ['The fair is on May 3rd, 2027.', 'date: 2027-05-03'],
    ['Die Messe ist am 3. Mai 2027.', 'date: 2027-05-03'],
    ['The fair is on 2027-05-03.', 'date: 2027-05-03'],
    ['Members get 10% off.', 'percent: 10 %'],
    ['Mitglieder erhalten 10 Prozent.', 'percent: 10 %'],
    ['It holds 1.5 TB of data.', 'number: 1500000 mb'],
    ['The tank weighs 870 g.', 'number: 870 g'],
    ['Forty engineers work here.', 'number: 40 engin'],
  ])('%s', (body, value) => {
    expect(valuesIn(body)).toEqual([value]);
  });

  test.each([
    'See version 2 of the manual.',
    'Go to step 3 and wait there.',
    'Our phone is +49 30 1234567.',
    'The Alder X200 is new.',
    '1. Open the lid and look.',
  ])('a number that names something is no value: %s', (body) => {
    expect(valuesIn(body).filter((value) => !value.startsWith('yes-no'))).toEqual([]);
  });
});

describe('statements that something is so', () => {
  test.each([
    ['Dogs are allowed.', 'yes-no: yes'],
    ['Dogs are not allowed.', 'yes-no: no'],
    ['Smoking is forbidden.', 'yes-no: no'],
    ['It is not forbidden to smoke.', 'yes-no: yes'],
    ['Hunde sind nicht erlaubt.', 'yes-no: no'],
    ['Hunde sind hier im Laden erlaubt.', 'yes-no: yes'],
  ])('%s', (body, value) => {
    expect(valuesIn(body)).toEqual([value]);
  });

  test.each(['Are dogs allowed?', 'Dogs are allowed, but cats are not.', 'A beautiful morning.'])(
    'neither yes nor no: %s',
    (body) => {
      expect(valuesIn(body)).toEqual([]);
    },
  );

  test('the cells of a row are about its first cell and their column', () => {
    const [row] = read('| Plan | Export | Price |\n| --- | --- | --- |\n| Team | no | €20 |');
    expect(
      row?.facts.map(({ value, subject }) => [describeValue(value), subject.map(({ key }) => key)]),
    ).toEqual([
      ['no', ['team', 'export']],
      ['20 EUR', ['team']],
    ]);
  });
});

describe('the time in which something is so', () => {
  const day = (text: string) => toDayNumber(new Date(text));

  test.each([
    ['Until 31 December 2025 it costs €5.', { from: null, to: day('2025-12-31'), season: '' }],
    ['From 1 March 2026 it costs €5.', { from: day('2026-03-01'), to: null, season: '' }],
    ['In 2025 it costs €5.', { from: day('2025-01-01'), to: day('2025-12-31'), season: '' }],
    ['Ab dem 1. März 2026 kostet es 5 €.', { from: day('2026-03-01'), to: null, season: '' }],
    ['It costs €5.', null],
  ])('%s', (body, period) => {
    expect(read(body)[0]?.facts[0]?.period).toEqual(period);
  });

  test('a year in the title is the time of all that is below it', () => {
    expect(read('It costs €5.', 'Prices 2024')[0]?.facts[0]?.period).toEqual({
      from: day('2024-01-01'),
      to: day('2024-12-31'),
      season: '',
    });
  });

  test.each([
    ['The offer is valid until 31 August 2026.', day('2026-08-31')],
    ['Order by 15 March 2026.', day('2026-03-15')],
    ['Closed from 24 December 2025 to 2 January 2026.', day('2026-01-02')],
    ['The road is blocked from 3 to 28 February 2026.', day('2026-02-28')],
    ['Das Angebot gilt bis Ende Juni 2026.', day('2026-06-30')],
    ['The offer was valid until 31 August 2026.', null],
    ['We were founded on 3 May 1998.', null],
    ['Since 1 March 2025 we are open every day.', null],
  ])('the last day of: %s', (body, lastDay) => {
    expect(read(body)[0]?.lastDay).toBe(lastDay);
  });
});
