import { describe, expect, test } from 'vitest';
import { isSameQuantity, parseQuantities } from '../../../../core/answering/generated/quantities.ts';

function areSame(one: string, other: string): boolean {
  const [left, right] = [parseQuantities(one), parseQuantities(other)];
  return (
    left.length > 0 &&
    left.length === right.length &&
    left.every((quantity, index) => {
      const counterpart = right[index];
      return counterpart !== undefined && isSameQuantity(quantity, counterpart);
    })
  );
}

describe('quantities', () => {
  test.each([
    ['1,299.00 €', 'EUR 1.299,00'],
    ['1299 euros', '€1’299'],
    ['24 months', 'two years'],
    ['one year', '12 Monate'],
    ['zwei Wochen', '14 days'],
    ['30 working days', '30 days'],
    ['14:30', '2.30 pm'],
    ['14 h 30', '14 Uhr 30'],
    ['9 a.m.', '9:00'],
    ['from 9 to 17:00', '9:00 to 5 pm'],
    ['3 to 5 days', '3-5 days'],
    ['twenty-five percent', '25 %'],
    ['the 3rd of May', 'am 3. Mai'],
    ['10GB', '10 GB'],
    ['1.5 kg', '1,500 g'],
    ['3.5.2025', '3.5.2025'],
    ['error E42', 'E42'],
  ])('are the same in other notations: %s = %s', (one, other) => {
    expect(areSame(one, other)).toBe(true);
  });

  test.each([
    ['14 weeks', '14 days'],
    ['1.299 €', '1.29 €'],
    ['2.30 pm', '2:30'],
    ['30 %', '30 €'],
    ['10 GB', '10 TB'],
    ['5 mg', '5 g'],
    ['12 kWh a day', '12 days'],
    ['E42', 'E43'],
    ['12 months', '12 years'],
  ])('differ in number or unit: %s, %s', (one, other) => {
    expect(areSame(one, other)).toBe(false);
  });

  test('are not the numbers of a list', () => {
    expect(parseQuantities('2. Open a window.')).toEqual([]);
  });
});
