import { describe, expect, test } from 'vitest';
import { parseRating } from '../../../../workers/answer/parse-rating.ts';

describe('a rating', () => {
  test.each([
    ...[
      ['1', 1],
      ['2', 2],
      ['3', 3],
      ['4', 4],
      ['5', 5],
      [' 5 ', 5],
      ['5!', 5],
      ['5.', 5],
      ['5 !!', 5],
      ['(4)', 4],
    ],
    ...[
      ['"5"', 5],
      ['5)', 5],
      ['*5*', 5],
      ['5…', 5],
      ['5/5', 5],
      ['4 / 5', 4],
      ['3 out of 5', 3],
      ['4 of 5', 4],
    ],
    ...[
      ['4 stars', 4],
      ['1 star', 1],
      ['5 Sterne', 5],
      ['5 von 5', 5],
      ['5 sur 5', 5],
      ['3 de 5', 3],
      ['4 su 5', 4],
    ],
    ...[
      ['4 estrellas!', 4],
      ['5 étoiles', 5],
      ['2 stelle', 2],
      ['5 sterren', 5],
      ['4 gwiazdki', 4],
      ['5 yıldız', 5],
    ],
    ...[
      ['５', 5],
      ['٥', 5],
      ['۴', 4],
      ['४', 4],
      ['৩', 3],
      ['⑤', 5],
      ['⁵', 5],
      ['5️⃣', 5],
      ['1\u20e3', 1],
    ],
    ...[
      ['★★★★', 4],
      ['★★★★★', 5],
      ['★★★★☆', 4],
      ['★☆☆☆☆', 1],
      ['⭐⭐⭐', 3],
      ['⭐️⭐️⭐️⭐️⭐️', 5],
      ['🌟🌟', 2],
    ],
    ...[
      ['5★', 5],
      ['4 ⭐', 4],
      ['5*', 5],
      ['5点', 5],
      ['4分', 4],
      ['5星', 5],
      ['5つ星', 5],
      ['3颗星', 3],
      ['٥ نجوم', 5],
    ],
    ...[
      ['5 thanks', 5],
      ['5, thank you!', 5],
      ['5 - thanks a lot', 5],
      ['5\nThanks!', 5],
      ['5 danke', 5],
    ],
    ...[
      ['4 vielen Dank', 4],
      ['5 merci beaucoup', 5],
      ['5 gracias', 5],
      ['5 grazie mille', 5],
      ['5 obrigada', 5],
    ],
    ...[
      ['5 bedankt', 5],
      ['5 dziękuję', 5],
      ['5 teşekkürler', 5],
      ['5 شكرًا', 5],
      ['5 ありがとうございます', 5],
    ],
    ...[
      ['5 谢谢', 5],
      ['5 👍', 5],
      ['5👍🏽', 5],
      ['4 🙂🙏', 4],
      ['5 ❤️', 5],
      ['\u200e5\u200f', 5],
    ],
    ...[
      ['4 out of 5 stars', 4],
      ['4 von 5 Sternen', 4],
      ['5/5 ⭐', 5],
      ['5 Punkte', 5],
      ['5分，谢谢', 5],
      ['5！', 5],
      ['4 puan', 4],
    ],
  ] as const)('%j is %d', (text, score) => {
    expect(parseRating(text)).toEqual({ score, comment: null });
  });
});

describe('a rating with a sentence', () => {
  test.each([
    ['5! Ann was very patient with me.', 5, 'Ann was very patient with me.'],
    ['5\nAnn took all the time she needed', 5, 'Ann took all the time she needed'],
    ['5/5, the driver came early', 5, 'the driver came early'],
    ['4 stars. The box arrived late', 4, 'The box arrived late'],
    ['5, very helpful', 5, 'very helpful'],
    ['5 great service', 5, 'great service'],
    ['1 - terrible', 1, 'terrible'],
    ['2, sehr langsam', 2, 'sehr langsam'],
    ['5. Super nett!', 5, 'Super nett!'],
    ['5 很好', 5, '很好'],
    ['5/5 great job', 5, 'great job'],
    ['5, thanks for the quick answer', 5, 'thanks for the quick answer'],
    ['★★☆☆☆\nIt took three days', 2, 'It took three days'],
  ] as const)('%j keeps the sentence', (text, score, comment) => {
    expect(parseRating(text)).toEqual({ score, comment });
  });

  test('keeps the sentence as it was written', () => {
    expect(parseRating('5! Ann from Graz helped ME.')?.comment).toBe('Ann from Graz helped ME.');
  });
});

describe('an ordinary message', () => {
  test.each([
    ...[
      '',
      ' ',
      '0',
      '6',
      '7',
      '10',
      '11',
      '55',
      '4.5',
      '4,5',
      '3/4',
      '5/10',
      '1/5/2027',
      '3-5',
      '1 2',
      '5 5',
      '1,2',
    ],
    ...[
      '5 boxes, can I return them?',
      '5 boxes',
      '5 people',
      '5 days',
      '5x',
      '5kg',
      '5 kg',
      '5%',
      '5€',
      '€5',
      '5th',
      '5 pm',
    ],
    ...[
      '#5',
      '-5',
      '+5',
      '5 or 4',
      '5 🍕',
      '5 👎',
      '5?',
      '5 ?',
      '5؟',
      '5 thanks, when does it arrive?',
      '5 too many',
      '5 many',
      '5 mil',
      '5 very',
      '5, the blue ones, thanks',
      '5 support',
    ],
    ...[
      '5. Mai',
      '2. Paket ist nicht da',
      '3. Stock links',
      '5, the blue one',
      '5 - the red one',
      '5: the last',
    ],
    ...['5! Where is my parcel', '5\nPlease send the invoice', '1! I want my money back', '1\nStill broken'],
    ...[
      '5! Wann kommt das zweite',
      '4! Bitte rufen Sie an',
      '5! ¿y la factura',
      '5! où est ma facture',
      '5! Kiedy paczka',
    ],
    ...[
      '5! 什么时候发货',
      '5! いつ届きますか',
      '5! متى تصل',
      '5\n6',
      '5! Order 4711',
      '5! see https://shop.example',
    ],
    ...[
      '4 stars hotel',
      '5 stars hotel booking',

      '⭐',
      '★',
      '★★★★★★',
      '☆☆☆☆☆',
      '☆★',
      '5 points of order',
    ],
    ...[
      'five',
      'good',
      'thanks',
      '👍',
      'hello 5',
      'my rating: 5',
      '5starsx',
      '5 out of 50',
      '5/55',
      '½',
      '५०',
    ],
    `5! ${'word '.repeat(100)}`,
  ])('%j is not taken for a rating', (text) => {
    expect(parseRating(text)).toBeNull();
  });
});

test('a long message costs no more than its length', () => {
  for (const piece of ['5', '★', '5 ', '5!', ' ', '\u200e', '5/5 '])
    expect(parseRating(piece.repeat(50_000))).toBeNull();
});
