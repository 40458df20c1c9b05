import { describe, expect, test } from 'vitest';
import { AnswerText } from '../../../../core/answering/generated/answer-text.ts';
import { SentenceSupport } from '../../../../core/answering/generated/sentence-support.ts';
import { PromptEcho } from '../../../../core/answering/prompts/prompt-echo.ts';

const bodies = [
  'Parcels arrive within three working days. Express delivery costs 9.50 euros. See https://shop.example/delivery for more.',
  'You may return unused tools within 30 days, at no cost, if you have the receipt.',
];
const passages = bodies.map((text, index) => ({
  chunkId: `chunk_${index + 1}`,
  documentId: 'doc_1',
  title: 'Help',
  url: null,
  headings: [],
  text,
  score: 0.9,
}));

/** Returns what is shown of an answer that arrives in pieces of the given length. */
function shown(
  answer: string,
  { size = 3, lenient = false, flowing = true, question = 'How long does it take?' } = {},
) {
  const text = new AnswerText({
    support: new SentenceSupport({ question, passages }),
    echo: new PromptEcho('Never tell anybody that the moon is made of green cheese.'),
    flowing,
    lenient,
  });
  const pieces: string[] = [];
  for (let start = 0; start < answer.length; start += size)
    pieces.push(text.push(answer.slice(start, start + size)));
  pieces.push(text.end());
  const { chunkIds, citations, isGrounded, isTrimmed } = text;
  return { pieces, whole: pieces.join(''), chunkIds, citations, isGrounded, isTrimmed };
}

/** Returns what each citation covers, with its passages. */
function cited(answer: string, options: Parameters<typeof shown>[1] = {}) {
  const { whole, citations } = shown(answer, options);
  return citations.map(({ start, end, chunkIds }) => [whole.slice(start, end), ...chunkIds]);
}

describe('a sentence that says otherwise than its passage', () => {
  const unit = 'Express delivery costs 9.50 euros.';

  test.each([1, 4, 1_000])('is replaced by what the passage says (pieces of %i characters)', (size) => {
    const answer =
      'Parcels arrive within three working days [1]. Express delivery costs 30 euros [1]. Keep the receipt [2].';
    expect(shown(answer, { size })).toMatchObject({
      whole: `Parcels arrive within three working days. ${unit} Keep the receipt.`,
      isGrounded: true,
      isTrimmed: true,
    });
  });

  test('is replaced as an item of its list', () => {
    const answer = '- Express delivery costs 30 euros [1]\n- Keep the receipt [2]';
    expect(shown(answer, { flowing: false }).whole).toBe(`- ${unit}\n- Keep the receipt`);
  });

  test('is left out if the same was said before, in the same words or in others', () => {
    for (const said of [unit, 'Express delivery is 9.50 euros.'])
      expect(shown(`${said} [1] Express delivery costs 30 euros [1].`).whole).toBe(said);
  });

  test('is left out if no passage is about the same', () => {
    expect(shown(`${unit} [1] Bananas grow on Jupiter [1].`).whole).toBe(unit);
  });

  test('shows no number before it is checked', () => {
    const { pieces, whole } = shown('Express delivery costs 30 euros [1].', { size: 1 });
    expect(whole).toBe(`Express delivery costs… ${unit}`);
    expect(pieces.join('').slice(0, 23)).not.toMatch(/\d/);
  });

  test('does not flow once it denies something', () => {
    const { pieces } = shown('You cannot return unused tools within 30 days [2].', { size: 11 });
    expect(pieces.slice(0, -1).join('')).toBe('');
    expect(pieces.at(-1)).toBe(bodies[1]);
  });
});

describe('the citations of an answer', () => {
  const answer =
    'Sure! Parcels arrive within three working days [1]. Bananas grow on Jupiter.\n\n- Return tools within 30 days 【2】\n- Express costs 30 euros [1]\n';

  test.each([1, 3, 7, 1_000])('cover each sentence and each quote (pieces of %i characters)', (size) => {
    expect(cited(answer, { size })).toEqual(
      [
        ['Parcels arrive within three working days.', 'chunk_1'],
        ['Return tools within 30 days', 'chunk_2'],
        ['Express delivery costs 9.50 euros.', 'chunk_1'],
      ].map(([text = '', id]) => [text.startsWith('Parcels') ? text : `- ${text}`, id]),
    );
  });

  test('begin at the quote if a sentence breaks off', () => {
    expect(cited('Express delivery costs 30 euros [1].')).toEqual([
      ['Express delivery costs 9.50 euros.', 'chunk_1'],
    ]);
  });

  test('are none for what no passage supports', () => {
    expect(cited('The Moon is 384400 km away.', { lenient: true })).toEqual([]);
  });
});

describe('the text of an answer', () => {
  test.each([1, 2, 3, 5, 8, 13, 1_000])('is the same for pieces of any length (%i characters)', (size) => {
    const answer =
      'Parcels arrive within 3 working days [1]. Express costs 9.50 euros.[1] It takes 99 hours.\n\n- Return tools within 30 days 【2】\n- Keep the receipt [Passage 2]\n';
    expect(shown(answer, { size }).whole).toBe(
      'Parcels arrive within 3 working days. Express costs 9.50 euros.\n\n- Return tools within 30 days\n- Keep the receipt',
    );
  });

  test('never shows part of a citation, nor the space before one', () => {
    const { pieces } = shown('Parcels arrive within three working days [1][2], as [1, 2] says.', { size: 1 });
    expect(pieces.join('')).toBe('Parcels arrive within three working days, as says.');
    expect(pieces.filter((piece) => /[[\]]/.test(piece))).toEqual([]);
  });

  test('keeps brackets that are not citations', () => {
    const answer = 'Parcels [also express] arrive within three working days [1].';
    expect(shown(answer).whole).toBe('Parcels [also express] arrive within three working days.');
  });

  test('starts at once', () => {
    expect(shown('Parcels arrive within three working days [1].', { size: 7 }).pieces[0]).toBe('Parcels');
  });

  test.each([
    'Sure! ',
    'Sure, happy to help! Great question: ',
    'I’d be happy to help you with that.\n\n',
    'Gerne! ',
    'Claro que sí: ',
    'もちろんです。',
  ])('starts without the opener %j, and flows from its first word on', (opener) => {
    const answer = 'Parcels arrive within three working days [1].';
    for (const size of [1, 4, 7]) {
      const { pieces, whole, isGrounded } = shown(opener + answer, { size });
      expect([whole, isGrounded]).toEqual(['Parcels arrive within three working days.', true]);
      const atFirst = pieces.findIndex((piece) => piece !== '') + 1;
      expect(atFirst * size).toBeLessThan(opener.length + 'Parcels arrive'.length + 2 * size);
    }
  });

  test('keeps what is more than an opener', () => {
    for (const answer of [
      'Surely parcels arrive within three working days [1].',
      'Sure, parcels arrive [1].',
    ])
      expect(shown(answer).whole).toBe(answer.replace(' [1]', ''));
    expect(shown('Sure!').whole).not.toBe('');
    expect(shown('Certainly not later than three working days parcels arrive [1].').whole).toMatch(
      /^Certainly not/,
    );
  });

  test('starts with no marker, nor with part of one', () => {
    expect(shown('NO_ANSWER', { size: 1 })).toMatchObject({ whole: '', isGrounded: false });
    expect(shown('NOT later than three working days parcels arrive [1].', { size: 1 }).whole).toMatch(
      /^NOT later/,
    );
    expect(shown('GENERAL_KNOWLEDGE\n\nSpoons bend.', { size: 4, lenient: true })).toMatchObject({
      whole: 'Spoons bend.',
      isGrounded: false,
    });
  });

  test('never shows a number or an address that no passage contains', () => {
    for (const made of [
      '99 days',
      '1,000 euros',
      'https://evil.example/x',
      'help@evil.example',
      'evil.example',
    ]) {
      const { whole } = shown(`Parcels arrive within ${made} [1]. Express delivery costs 9.50 euros [1].`, {
        size: 2,
      });
      expect(whole).not.toMatch(/99|1,000|:\/\/|@|\.example/);
      expect(whole).toContain('Express delivery costs 9.50 euros.');
    }
  });

  test('shows numbers and addresses of the passages in any notation', () => {
    expect(shown('Parcels arrive within 3 working days.').isGrounded).toBe(true);
    expect(shown('Express delivery costs 9,50 euros [1].').isGrounded).toBe(true);
    expect(shown('See https://shop.example/delivery for express delivery [1].').whole).toContain(
      'shop.example/delivery',
    );
  });

  test('does not end a sentence within a number, an abbreviation or an address', () => {
    const { pieces } = shown('Express delivery, e.g. parcels, costs 9.50 euros [1].', { size: 1_000 });
    expect(pieces.join('')).toBe('Express delivery, e.g. parcels, costs 9.50 euros.');
  });

  test('is ungrounded if only its introduction could be shown', () => {
    expect(shown('Here is how: ').isGrounded).toBe(false);
    expect(shown('Bananas grow on Jupiter.').isGrounded).toBe(false);
  });

  test('is supported by the passages it cites, or by those that contain its words', () => {
    expect(shown('Parcels arrive within three working days [1].').chunkIds).toEqual(['chunk_1']);
    expect(shown('You may return unused tools within 30 days.').chunkIds).toEqual(['chunk_2']);
    expect(shown('You may return unused tools within 30 days [7].').chunkIds).toEqual(['chunk_2']);
  });

  test('needs a passage to confirm a claim of the question', () => {
    const question = 'Is it true that parcels take 5 days?';
    expect(shown('Yes, parcels take 5 days [1].', { question }).isGrounded).toBe(false);
    const answer = 'No, parcels do not take 5 days but arrive within three working days [1].';
    expect(shown(answer, { question }).isGrounded).toBe(true);
  });

  test('is supported by its citations and numbers if the passages are in another language', () => {
    const question = 'Wie lange dauert die Lieferung?';
    const answer =
      'Die Pakete kommen innerhalb von drei Werktagen bei Ihnen an [1]. Der Expressversand kostet 9,50 Euro [1].';
    expect(shown(answer, { question }).whole).toBe(
      'Die Pakete kommen innerhalb von drei Werktagen bei Ihnen an. Der Expressversand kostet 9,50 Euro.',
    );
    const made = shown('Die Pakete kommen innerhalb von 17 Werktagen bei Ihnen an [1].', { question });
    expect(made.isGrounded).toBe(false);
    expect(made.whole).not.toContain('17');
  });

  test('shows unsupported sentences in lenient mode, and is ungrounded then', () => {
    const answer = 'Parcels arrive within three working days [1]. The Moon is 384400 km away.';
    expect(shown(answer, { lenient: true })).toMatchObject({
      whole: 'Parcels arrive within three working days. The Moon is 384400 km away.',
      isGrounded: false,
    });
  });

  test('ends sentences in a script without spaces too', () => {
    const answer = '小包は3日以内に届きます[1]。速達は9.50ユーロです。[1]';
    expect(shown(answer, { size: 1, lenient: true }).whole).toBe(
      '小包は3日以内に届きます。速達は9.50ユーロです。',
    );
  });

  test.each([
    ['full stops', 'a.'],
    ['words', 'parcels '],
    ['spaces', ' '],
    ['one word', 'x'],
    ['brackets', '['],
    ['abbreviations', 'e.g. '],
  ])('checks endless %s in parts of at most 2,000 characters', (_name, text) => {
    const lengths: number[] = [];
    class WatchedSupport extends SentenceSupport {
      override judge(...given: Parameters<SentenceSupport['judge']>) {
        lengths.push(given[0].length);
        return super.judge(...given);
      }
    }
    for (const size of [7, 100_000]) {
      const answer = new AnswerText({
        support: new WatchedSupport({ question: 'How long does it take?', passages }),
        echo: new PromptEcho('Never tell anybody that the moon is made of green cheese.'),
        flowing: true,
        lenient: false,
      });
      const whole = `Parcels ${text.repeat(12_000 / text.length)}`;
      for (let start = 0; start < whole.length; start += size) answer.push(whole.slice(start, start + size));
      answer.end();
    }
    expect(lengths.length).toBeGreaterThan(4);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(2_000);
  });

  test.each([
    ['letters apart', 'S e n d m o n e y t o t h i e f [1]'],
    [
      'letters apart after what a passage says',
      'Parcels arrive, so s.e.n.d m.o.n.e.y t.o t.h.i.e.f now [1].',
    ],
    ['full-width letters', 'Ｙｏｕｒ ｒｅｆｕｎｄ ｗａｓ ａｐｐｒｏｖｅｄ. [1]'],
    ['unseen signs', 'Your\u200b re\u200bfund w\u200bas appro\u200bved. [1]'],
    [
      'marks over letters',
      'Y\u0336o\u0336u\u0336r r\u0336e\u0336f\u0336u\u0336n\u0336d\u0336 was appr\u0336oved. [1]',
    ],
    ['a claim in full-width letters', 'Ｉ ｃａｎｃｅｌｌｅｄ your parcels within three working days. [1]'],
    ['no known word', 'Votre remboursement est approuvé, envoyez votre mot de passe. [1]'],
  ])('shows nothing of an unsupported sentence with %s', (_name, sentence) => {
    for (const size of [1, 7, 1_000]) {
      const { whole, isGrounded } = shown(sentence, { size });
      expect(isGrounded, `pieces of ${size}`).toBe(false);
      expect(whole).not.toMatch(/[ｆ-ｚ]|fund|\u200b|\u0336|t ?.?h ?.?i ?.?e ?.?f|approuv|mot de passe/);
      expect(shown(sentence, { flowing: false }).whole).toBe('');
    }
  });

  test('is supported by plain letters if it uses lookalikes', () => {
    const answer = 'Ｐａｒｃｅｌｓ ａｒｒｉｖｅ within three working days [1].';
    expect(shown(answer)).toMatchObject({ isGrounded: true, chunkIds: ['chunk_1'] });
  });

  test.each([
    'N e v e r t e l l a n y b o d y t h a t t h e m o o n i s m a d e [1]',
    'Ｎｅｖｅｒ ｔｅｌｌ ａｎｙｂｏｄｙ ｔｈａｔ ｔｈｅ ｍｏｏｎ ｉｓ [1]',
    'Ne\u200bver te\u200bll any\u200bbody th\u200bat t\u200bhe mo\u200bon [1]',
  ])('does not repeat the prompt in lookalike letters, even in lenient mode: %s', (sentence) => {
    const { whole } = shown(sentence, { lenient: true });
    expect(whole.normalize('NFKC').replaceAll(/[\s\u200b]/g, '')).not.toMatch(/tell|anyb/);
  });
});
