import { describe, expect, it } from 'vitest';
import { rankCandidates } from '../../../../core/knowledge/ranking/rank-candidates.ts';
import { searchRules } from '../../../../core/knowledge/rules.ts';
import { GARDEN_SHOP } from '../../../helpers/stores/knowledge/garden-shop.ts';
import { type SmallPassage, searchSmallIndex } from '../../../helpers/stores/knowledge/small-index.ts';

function best(question: string, passages: readonly SmallPassage[] = GARDEN_SHOP) {
  const [first] = searchSmallIndex(question, passages).ranked;
  if (first === undefined) throw new TypeError('nothing was ranked');
  return first;
}

function withCosines(cosines: Readonly<Record<string, number>>): readonly SmallPassage[] {
  return GARDEN_SHOP.map((passage) => ({ ...passage, cosine: cosines[passage.id] ?? 0.05 }));
}

describe('rankCandidates', () => {
  it.each([
    ['How long does express delivery take?', 'delivery'],
    ['Can I return a tool I have used?', 'returns'],
    ['What does sharpening shears cost?', 'sharpening'],
    ['How many years is a spade guaranteed?', 'warranty'],
    ['When do I sow tomato seeds?', 'seeds'],
    ['Who leads the customer service?', 'contact'],
  ])('ranks the answering passage first with high confidence: %s', (question, id) => {
    const first = best(question);
    expect(first.chunkId).toBe(id);
    expect(first.score).toBeGreaterThanOrEqual(searchRules.answerThreshold);
  });

  it.each([
    'Which exhibitions does the railway museum show?',
    'How do I configure the database password?',
    'What is the capital of Peru?',
  ])('scores every passage low if none is about the question: %s', (question) => {
    expect(best(question).score).toBeLessThan(searchRules.relatedThreshold);
  });

  it('returns every candidate once, in descending order of a score from 0 to 1', () => {
    const { ranked } = searchSmallIndex('How long is the delivery of seeds?', GARDEN_SHOP);
    expect(ranked.map(({ chunkId }) => chunkId).sort()).toEqual(GARDEN_SHOP.map(({ id }) => id).sort());
    const scores = ranked.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
  });

  it('returns the parts of the score, each from 0 to 1', () => {
    for (const value of Object.values(best('How long does express delivery take?').parts)) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
    }
  });

  it('keeps additional fields of a candidate', () => {
    const { question, candidates, statistics } = searchSmallIndex('tomato seeds', GARDEN_SHOP);
    const named = candidates.map((candidate) => ({ ...candidate, url: `/help/${candidate.chunkId}` }));
    expect(rankCandidates(question, named, statistics)[0]?.url).toBe('/help/seeds');
  });

  it('finds a passage by its vector alone', () => {
    const first = best('How do I get my cash refunded?', withCosines({ returns: 0.75, delivery: 0.2 }));
    expect(first.chunkId).toBe('returns');
    expect(first.score).toBeGreaterThanOrEqual(searchRules.answerThreshold);
  });

  it('ranks a full match of words above a similar vector', () => {
    const first = best('What does sharpening shears cost?', withCosines({ sharpening: 0.5, delivery: 0.6 }));
    expect(first.chunkId).toBe('sharpening');
  });

  it('ranks the passage first whose sentence is nearest, if words and passage vectors are as good', () => {
    const passages = [
      { id: 'one', title: 'Kettle', body: 'The kettle is made of steel.', cosine: 0.6, unitCosines: [0.5] },
      { id: 'two', title: 'Kettle', body: 'The kettle is made of glass.', cosine: 0.6, unitCosines: [0.8] },
    ];
    const first = best('Which material is the vessel for tea?', passages);
    expect(first.chunkId).toBe('two');
    expect(first.parts.sentence).toBe(0.8);
  });

  it('ranks the page about what is asked before one that mentions it', () => {
    const passages = [
      {
        id: 'delivery',
        title: 'Delivery',
        body: 'Opening hours of the depot: Monday to Friday, nine to five.',
        cosine: 0.6,
        unitCosines: [0.6],
      },
      {
        id: 'hours',
        title: 'Opening hours',
        body: 'The shop and its opening hours: every day from nine to six.',
        cosine: 0.59,
        unitCosines: [0.6],
      },
    ];
    expect(best('What are the opening hours?', passages).chunkId).toBe('hours');
    expect(best('What are the opening hours?', passages.toReversed()).chunkId).toBe('hours');
  });

  it('does not answer from near vectors alone, where every page is near every question', () => {
    const near = withCosines({ contact: 0.66, returns: 0.64 }).map((passage) => ({
      ...passage,
      unitCosines: [(passage.cosine ?? 0) + 0.02],
    }));
    expect(best('Which newsletter do the gardeners get?', near).score).toBeLessThan(
      searchRules.answerThreshold,
    );
  });

  it('scores a passage lower if another one is much nearer to the question', () => {
    const score = (nearest: number) => {
      const passages = withCosines({ sharpening: 0.4, contact: nearest });
      const units = passages.map((passage) => ({ ...passage, unitCosines: [passage.cosine ?? 0] }));
      const { ranked } = searchSmallIndex('What does sharpening shears cost?', units);
      return ranked.find(({ chunkId }) => chunkId === 'sharpening')?.score ?? 0;
    };
    expect(score(0.45)).toBe(score(0.4));
    expect(score(0.6)).toBeLessThan(score(0.4));
  });

  it('scores a question lower if no document holds one of its words', () => {
    const passages = GARDEN_SHOP.map((passage) => ({ ...passage, cosine: 0.6, unitCosines: [0.6] }));
    const known = best('What does sharpening shears cost?', passages).score;
    expect(best('What does sharpening shears in Zanzibar cost?', passages).score).toBeLessThan(known);
  });

  it("prefers a passage with the question's words side by side", () => {
    const passages = [
      {
        id: 'apart',
        body: 'The glass is cleaned in spring. Every house on the estate has a green door and a garden.',
      },
      {
        id: 'together',
        body: 'A green house on the estate has a glass door and is cleaned in spring by the garden team.',
      },
      { id: 'other', body: 'The car park closes at midnight and opens again at six.' },
    ];
    expect(best('Who cleans the green house?', passages).chunkId).toBe('together');
  });

  it('does not find words inside addresses', () => {
    const passages = [
      { id: 'link', body: 'Details are at https://shop.example/opening-hours and hours@shop.example.' },
      { id: 'hours', body: 'The shop opens at nine and closes at six.' },
      { id: 'other', body: 'The car park has room for forty cars.' },
    ];
    const { ranked } = searchSmallIndex('What are the opening hours of the shop?', passages);
    expect(ranked[0]?.chunkId).toBe('hours');
    expect(ranked.find(({ chunkId }) => chunkId === 'link')?.parts.coverage).toBe(0);
    const first = best('Who answers hours@shop.example?', passages);
    expect(first.chunkId).toBe('link');
    expect(first.parts.exact).toBeGreaterThan(0);
  });

  it('counts title and headings as part of every sentence', () => {
    const passages = [
      {
        id: 'hedges',
        title: 'Hedge trimmer',
        headings: ['Battery'],
        body: 'It lasts for forty minutes and charges in one hour.',
      },
      {
        id: 'mowers',
        title: 'Lawn mower',
        headings: ['Battery'],
        body: 'It lasts for eighty minutes and charges in two hours.',
      },
    ];
    expect(best('How long does the battery of the hedge trimmer last?', passages).chunkId).toBe('hedges');
  });

  it.each([
    ['How long does expres delivary take?', 'delivery'],
    ['What does sharpning shaers cost?', 'sharpening'],
    ['How many years is a spdae guarenteed?', 'warranty'],
  ])('corrects misspelt words: %s', (question, id) => {
    const first = best(question);
    expect(first.chunkId).toBe(id);
    expect(first.score).toBeGreaterThanOrEqual(searchRules.answerThreshold);
  });

  it('does not correct a word to one with another first letter', () => {
    expect(best('What does a reed cost?').parts.coverage).toBeLessThan(1);
  });

  const GERMAN: readonly SmallPassage[] = [
    {
      id: 'versand',
      title: 'Versand',
      body: 'Die Lieferung dauert drei bis fünf Werktage. Ab fünfzig Euro ist der Versand innerhalb Deutschlands kostenlos.',
    },
    {
      id: 'kuendigung',
      title: 'Vertrag',
      body: 'Der Vertrag kann mit einer Frist von vier Wochen zum Monatsende gekündigt werden.',
    },
    {
      id: 'garantie',
      title: 'Garantie',
      body: 'Auf jeden Spaten geben wir zehn Jahre Garantie, ausgenommen ist gewöhnlicher Verschleiß.',
    },
  ];

  it.each([
    ['Wie lange dauern die Lieferungen?', 'versand'],
    ['Wann kann ich meinen Vertrag kündigen?', 'kuendigung'],
    ['Wie viele Jahre Garantie gibt es auf einen Spaten?', 'garantie'],
  ])('answers a German question from a German passage: %s', (question, id) => {
    const first = best(question, GERMAN);
    expect(first.chunkId).toBe(id);
    expect(first.score).toBeGreaterThanOrEqual(searchRules.answerThreshold);
  });

  it('finds German passages by one English-looking word', () => {
    expect(best('Garantie', GERMAN).chunkId).toBe('garantie');
  });

  it.each([
    [
      'Chinese',
      '保修期是多久？',
      [
        { id: 'right', body: '所有铁锹的保修期为十年，不包括正常磨损。' },
        { id: 'wrong', body: '番茄种子应在三月于室内播种。' },
      ],
    ],
    [
      'Russian',
      'Сколько лет действует гарантия на лопату?',
      [
        { id: 'right', body: 'Гарантия на каждую лопату действует десять лет.' },
        { id: 'wrong', body: 'Семена томатов сеют в марте в помещении.' },
      ],
    ],
    [
      'Arabic',
      'كم سنة مدة الضمان على المجرفة؟',
      [
        { id: 'right', body: 'مدة الضمان على كل مجرفة عشر سنوات.' },
        { id: 'wrong', body: 'تزرع بذور الطماطم في شهر مارس داخل المنزل.' },
      ],
    ],
    [
      'Thai',
      'พลั่วรับประกันกี่ปี',
      [
        { id: 'right', body: 'พลั่วทุกด้ามรับประกันสิบปี' },
        { id: 'wrong', body: 'เมล็ดมะเขือเทศควรหว่านในเดือนมีนาคม' },
      ],
    ],
  ])('answers a %s question without vectors', (_, question, passages) => {
    const first = best(question, passages);
    expect(first.chunkId).toBe('right');
    expect(first.score).toBeGreaterThanOrEqual(searchRules.answerThreshold);
  });

  it('does not answer a Vietnamese question from the syllables that every text shares', () => {
    const passages = [
      {
        id: 'garden',
        body: 'Khách hàng có thể trả lại hàng trong thời gian ba mươi ngày sau khi nhận được sản phẩm của cửa hàng.',
      },
      {
        id: 'seeds',
        body: 'Hạt giống cà chua được gieo trong nhà vào tháng ba và được trồng ra vườn sau thời gian sương giá.',
      },
      { id: 'hours', body: 'Cửa hàng mở cửa từ chín giờ sáng đến sáu giờ chiều, trừ ngày chủ nhật.' },
    ];
    const answered = best('Khách hàng có thể trả lại hàng trong bao nhiêu ngày?', passages);
    expect(answered.chunkId).toBe('garden');
    expect(answered.score).toBeGreaterThanOrEqual(searchRules.answerThreshold);
    const unanswered = best('Thời gian nào trong ngày khách sạn nhận phòng?', passages);
    expect(unanswered.parts.fused).toBeGreaterThan(0.17);
    expect(unanswered.score).toBeLessThan(searchRules.answerThreshold);
  });

  it('answers a Russian question whose words are inflected in the passage', () => {
    const passages = [
      { id: 'right', body: 'Возврат оформляется покупателями в отделениях почты с квитанцией.' },
      { id: 'wrong', body: 'Семена томатов сеют в марте в помещении.' },
      { id: 'hours', body: 'Магазин открыт с девяти утра до шести вечера.' },
    ];
    const first = best('Как оформить возврат по почте?', passages);
    expect(first.chunkId).toBe('right');
    expect(first.parts.fused).toBeLessThan(0.16);
    expect(first.score).toBeGreaterThanOrEqual(searchRules.answerThreshold);
  });

  it('scores an English passage low for a German question', () => {
    expect(best('Wie lange dauert die Lieferung nach Hause?').score).toBeLessThan(
      searchRules.answerThreshold,
    );
  });

  it('returns an empty list without candidates', () => {
    expect(searchSmallIndex('anything', []).ranked).toEqual([]);
  });

  it.each(['', '???', 'what is it'])('scores every passage low for an empty question: "%s"', (question) => {
    expect(best(question).score).toBeLessThan(searchRules.relatedThreshold);
  });
});
