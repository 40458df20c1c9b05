import { describe, expect, it } from 'vitest';
import type { ExtractiveAnswer } from '../../../core/answering/extractive/choose-sentences.ts';
import { chooseSentences } from '../../../core/answering/extractive/choose-sentences.ts';
import { GARDEN_SHOP } from '../../helpers/stores/knowledge/garden-shop.ts';
import { type SmallPassage, searchSmallIndex } from '../../helpers/stores/knowledge/small-index.ts';

function answer(question: string, passages: readonly SmallPassage[] = GARDEN_SHOP): ExtractiveAnswer {
  const found = searchSmallIndex(question, passages);
  return chooseSentences(found.question, found.ranked, found.statistics);
}

const OTHERS: readonly SmallPassage[] = GARDEN_SHOP.filter(({ id }) => id === 'seeds' || id === 'contact');

describe('chooseSentences', () => {
  it.each([
    ['What does sharpening shears cost?', '14 euros'],
    ['Who leads the customer service?', 'Margaret Thistlewood'],
    ['How many years is every spade guaranteed?', 'ten years'],
    ['When should tomato seeds be sown?', 'March'],
  ])('answers %s', (question, expected) => {
    expect(answer(question).text).toContain(expected);
  });

  it('quotes sentences unchanged and names the passage of each', () => {
    for (const { question } of [
      { question: 'How long is express delivery?' },
      { question: 'How do I return a tool?' },
    ]) {
      const { sentences } = answer(question);
      expect(sentences.length).toBeGreaterThan(0);
      for (const { text, chunkId } of sentences) {
        expect(GARDEN_SHOP.find(({ id }) => id === chunkId)?.body).toContain(text);
      }
    }
  });

  it('quotes the sentence that is nearest in meaning, if no word tells', () => {
    const sentences = [
      'The cottage stands on a hill above the harbour of the town.',
      'It was built by a captain who never went to sea again.',
      'There is room for two cars in the yard behind the house.',
      'Guests may bring a dog if they pay nine euros for each night.',
      'The kitchen has a stove, an oven and a small dishwasher.',
    ];
    const ask = (unitCosines: readonly number[]) => {
      const cottage = { id: 'cottage', body: sentences.join(' '), cosine: 0.6, unitCosines };
      return answer('Are pets welcome?', [cottage]).sentences.map(({ text }) => sentences.indexOf(text));
    };
    expect(ask([0.2, 0.2, 0.2, 0.7, 0.2])).toContain(3);
    expect(ask([0.2, 0.2, 0.2, 0.2, 0.7])).toContain(4);
    expect(ask([0.2, 0.2, 0.2, 0.2, 0.7])).not.toContain(3);
  });

  it('keeps the order of the document', () => {
    const { sentences } = answer(
      'What does the guarantee on a spade cover, and are broken handles replaced?',
    );
    const body = GARDEN_SHOP.find(({ id }) => id === 'warranty')?.body ?? '';
    const places = sentences.map(({ text }) => body.indexOf(text));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('quotes at most three sentences, or one list', () => {
    for (const question of [
      'How long does delivery take?',
      'When do seedlings move outdoors?',
      'Who answers calls?',
    ]) {
      expect(answer(question).sentences.length).toBeLessThanOrEqual(3);
      expect(answer(question).text.length).toBeLessThan(450);
    }
  });

  it('never joins sentences of unrelated documents', () => {
    const { sentences } = answer('How long does the delivery of shears and seeds take?');
    expect(new Set(sentences.map(({ documentId }) => documentId)).size).toBe(1);
  });

  it('quotes the items of a list together with its lead-in', () => {
    const { text } = answer('What do you need to return a tool?');
    expect(text).toContain('To return a tool you need:');
    expect(text).toContain('\n- the order number');
    expect(text).toContain('\n- the printed label');
  });

  it('quotes the lead-in together with an item of its list', () => {
    const passages = [
      {
        id: 'fees',
        body: 'Members of the library pay nothing for:\n- borrowing maps\n- the reading room\n- printing at night',
      },
      ...OTHERS,
    ];
    expect(answer('Is printing at night free?', passages).text).toMatch(
      /^Members of the library pay nothing for:\n(.*\n)*- printing at night/u,
    );
  });

  it('quotes the sentence that a pronoun refers to', () => {
    const passages = [
      { id: 'kiln', body: 'The large kiln stands behind the pottery. It reaches 1300 degrees on Thursdays.' },
      ...OTHERS,
    ];
    expect(answer('How many degrees are reached on Thursdays?', passages).text).toBe(
      'The large kiln stands behind the pottery. It reaches 1300 degrees on Thursdays.',
    );
  });

  it('does not answer a question with the same question in the document', () => {
    const passages = [
      {
        id: 'faq',
        body: 'How do I change my boat reservation?\nOpen the harbour office page and choose another berth or day.',
      },
      ...OTHERS,
    ];
    expect(answer('How do I change my boat reservation?', passages).text).toContain(
      'choose another berth or day',
    );
  });

  it('does not end with a colon that announces the content of another passage', () => {
    const passages = [
      {
        id: 'method',
        body: 'The method is taught on two evenings. The word BRINE is made of the first letters of its steps:',
      },
      ...OTHERS,
    ];
    expect(answer('On how many evenings is the method taught?', passages).text).not.toMatch(/:$/u);
  });

  it('quotes the table row that answers, without its neighbours', () => {
    const rows = [
      'Size: small; Price: 4 euros',
      'Size: large; Price: 7 euros',
      'Size: giant; Price: 11 euros',
    ];
    const passages = [{ id: 'prices', title: 'Flower pots', body: rows.join('\n') }, ...OTHERS];
    expect(answer('What is the price of a giant pot?', passages).text).toBe('Size: giant; Price: 11 euros');
  });

  it('prefers the reference to a changelog, unless a change is asked for', () => {
    const passages = [
      { id: 'log', title: 'Changelog', body: 'The default timeout of the pump is 20 seconds.' },
      { id: 'pump', title: 'Pump', body: 'The timeout is 45 seconds by default for any pump.' },
      ...OTHERS,
    ];
    expect(answer('What is the default timeout of the pump?', passages).text).toContain('45 seconds');
    expect(answer('Was the default timeout of the pump changed?', passages).text).toContain('20 seconds');
  });

  it('does not answer with a pointer to another page', () => {
    const passages = [
      { id: 'next', title: 'Pump', headings: ['Next steps'], body: 'Clean the filter of the pump.' },
      { id: 'care', title: 'Pump', headings: ['Care'], body: 'Rinse the filter to clean it after each use.' },
      ...OTHERS,
    ];
    expect(answer('How do I clean the filter of the pump?', passages).text).toContain('Rinse the filter');
  });

  it('tells the exception in the next sentence', () => {
    const passages = [
      { id: 'dogs', body: 'Dogs are welcome on the ferry. Cats may not travel in July.' },
      ...OTHERS,
    ];
    expect(answer('Are dogs welcome?', passages).text).toBe(
      'Dogs are welcome on the ferry. Cats may not travel in July.',
    );
  });

  it('quotes what a sentence says is below it', () => {
    const passages = [
      { id: 'form', body: 'Register as described below. Fill in the blue card at the desk.' },
      ...OTHERS,
    ];
    expect(answer('How do I register?', passages).text).toContain('Fill in the blue card');
  });

  it('quotes all steps of a list that was cut between two passages', () => {
    const step = (number: number) => `${number}. Turn wheel ${number}.`;
    const part = (ordinal: number, numbers: readonly number[]) => ({
      id: `part-${ordinal}`,
      document: 'lock',
      ordinal,
      body: numbers.map(step).join('\n'),
    });
    const { text } = answer('How do I open the lock with the wheel?', [
      part(0, [1, 2, 3]),
      part(1, [4, 5]),
      ...OTHERS,
    ]);
    expect(text).toBe([1, 2, 3, 4, 5].map(step).join('\n'));
  });

  it('does not quote the same sentence twice', () => {
    const twice = 'The ferry to the island leaves every hour from the old pier.';
    const { text } = answer('When does the ferry leave?', [
      { id: 'ferry', body: `${twice} ${twice}` },
      ...OTHERS,
    ]);
    expect(text).toBe(twice);
  });

  it('finds the answer to a misspelt question', () => {
    expect(answer('What does sharpning of sheears cost?').text).toContain('14 euros');
  });

  it.each([
    [
      'German',
      'Wie viele Jahre Garantie gibt es?',
      'Die Lieferung kommt am Montag. Auf jeden Spaten geben wir zehn Jahre Garantie.',
      'zehn Jahre',
    ],
    ['Chinese', '保修期是多久？', '送货需要三天时间。所有铁锹的保修期为十年。', '十年'],
    [
      'Russian',
      'Сколько лет длится гарантия?',
      'Доставка занимает три дня. Гарантия на лопаты длится десять лет.',
      'десять лет',
    ],
  ])('answers in %s', (_, question, body, expected) => {
    const found = answer(question, [
      { id: 'only', body },
      { id: 'other', body: '1234567890' },
    ]);
    expect(found.text).toContain(expected);
  });

  it('quotes a short section whole, and one without a heading only where it answers', () => {
    const body = '- Start when the plants are 15 cm tall.\n- Cut basil above a pair of leaves.';
    const section = { id: 'harvest', title: 'Care', headings: ['Harvesting'], body };
    expect(answer('When do I cut basil?', [section, ...OTHERS]).text).toBe(body);
    const text =
      'The mill opened in spring. Basil is cut above a pair of leaves. Nobody knows why the river froze.';
    const page = { id: 'page', title: 'Care', body: text };
    expect(answer('Where is basil cut?', [page, ...OTHERS]).text).not.toContain('river');
  });

  it('leaves out rows of a table that match less than the best one', () => {
    const body =
      '| Kind | Order | Speed |\n| --- | --- | --- |\n| standard | best effort | 20,000 a second |\n| ordered | strict | 3,000 a second |';
    const { text } = answer('What is the speed of an ordered queue?', [
      { id: 'kinds', title: 'Queues', headings: ['Kinds of queues'], body },
      ...OTHERS,
    ]);
    expect(text).toContain('3,000');
    expect(text).not.toContain('20,000');
  });

  it('returns an empty answer without passages', () => {
    expect(answer('anything', [])).toEqual({ text: '', sentences: [] });
  });
});
