import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Chunk, chunkDocument } from '../../../core/knowledge/chunk-document.ts';
import type { Block } from '../../../core/knowledge/loaders/loader.ts';
import { plainText } from '../../../core/knowledge/passage.ts';
import { countWordPieces, WORD_PIECE_WINDOW } from '../../helpers/models/embedding/count-word-pieces.ts';
import { processorMs } from '../../helpers/processor-ms.ts';

const HARD_CAP = 1000;
const CODE_CAP = 1500;
const FENCES = '```\n\n```';
const SENTENCE =
  'The workshop in Harbour Street opens at eight in the morning and closes at six in the evening. ';

const block = (text: string, kind: Block['kind'] = 'paragraph', headings: readonly string[] = []): Block => ({
  headings,
  kind,
  text,
});
const chunk = (...blocks: readonly Block[]): readonly Chunk[] =>
  chunkDocument({ title: 'Handbook', url: null, blocks });
const bodies = (...blocks: readonly Block[]): readonly string[] => chunk(...blocks).map(({ body }) => body);
const withoutSpace = (texts: readonly string[]): string => texts.map(plainText).join('').replace(/\s+/g, '');

describe('any document', () => {
  const words = fc.array(
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom('return', 'the', 'bicycle', 'of', 'Norway.', 'free?', 'is', '£9,'),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '配送には三日かかります。',
          'การจัดส่งใช้เวลาสามวัน',
          'Größenänderung',
          '\n',
          'x'.repeat(1500),
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }) },
    ),
    { minLength: 1, maxLength: 400 },
  );
  const document = fc.record({
    title: fc.option(fc.string()),
    url: fc.constant(null),
    blocks: fc.array(
      fc.record({
        headings: fc.constantFrom<readonly string[]>([], ['Fees'], ['Fees', 'Norway'], ['Hours']),
        kind: fc.constantFrom<Block['kind']>('paragraph', 'list', 'table', 'code'),
        text: words.map((parts) => parts.join(' ').trim()).filter((text) => text !== ''),
      }),
      { maxLength: 12 },
    ),
  });
  const check = (property: (input: Parameters<typeof chunkDocument>[0]) => void): void => {
    fc.assert(fc.property(document, property), { numRuns: 60, seed: 7 });
  };

  test('keeps every character in order', () => {
    check((input) => {
      const chunks = chunkDocument(input);
      expect(withoutSpace(chunks.map(({ body }) => body))).toBe(
        withoutSpace(input.blocks.map(({ text }) => text)),
      );
    });
  });

  test('yields no empty passage and none above the limit', () => {
    check((input) => {
      for (const { body } of chunkDocument(input)) {
        const isWhole = /```$/.test(body) || input.blocks.some(({ kind }) => kind === 'list');
        expect(body.length).toBeLessThanOrEqual(isWhole ? CODE_CAP + FENCES.length : HARD_CAP);
        expect(body.trim()).not.toBe('');
      }
    });
  });

  test('yields no passage that crosses a heading', () => {
    check((input) => {
      const textUnder = (path: string): string =>
        withoutSpace(
          input.blocks.filter(({ headings }) => headings.join('/') === path).map(({ text }) => text),
        );
      const chunks = chunkDocument(input);
      for (const path of new Set(chunks.map(({ headings }) => headings.join('/')))) {
        const passages = chunks.filter(({ headings }) => headings.join('/') === path);
        expect(withoutSpace(passages.map(({ body }) => body))).toBe(textUnder(path));
      }
    });
  });

  test('numbers passages from 0 and is deterministic', () => {
    check((input) => {
      const chunks = chunkDocument(input);
      expect(chunks.map(({ ordinal }) => ordinal)).toEqual(chunks.map((_, index) => index));
      expect(chunkDocument(input)).toEqual(chunks);
    });
  });
});

describe('size', () => {
  test('a section that fits becomes one passage with blank lines between blocks', () => {
    expect(bodies(block('One.'), block('- a\n- b', 'list'), block('Two.'))).toEqual([
      'One.\n\n- a\n- b\n\nTwo.',
    ]);
  });

  test('paragraphs that fit stay whole', () => {
    const paragraph = SENTENCE.repeat(6).trim();
    expect(bodies(block(paragraph), block(paragraph), block(paragraph))).toEqual([
      paragraph,
      paragraph,
      paragraph,
    ]);
  });

  test('a long paragraph is cut between sentences into passages of similar size', () => {
    const passages = bodies(block(SENTENCE.repeat(30).trim()));
    for (const passage of passages) {
      expect(passage).toMatch(/^The workshop .*evening\.$/s);
      expect(passage.length).toBeGreaterThan(600);
    }
  });

  test('a short end of a section does not become a separate passage', () => {
    const passages = bodies(block(SENTENCE.repeat(10).trim()), block('See also the price list.'));
    expect(Math.min(...passages.map((passage) => passage.length))).toBeGreaterThan(200);
  });

  test('text without sentences is cut between words, an endless word between letters', () => {
    const words = Array.from({ length: 600 }, (_, index) => `part${index}`);
    expect(bodies(block(words.join(' '))).flatMap((passage) => passage.split(' '))).toEqual(words);
    expect(bodies(block('x'.repeat(2500))).every((passage) => /^x{200,1000}$/.test(passage))).toBe(true);
  });

  test('a letter is not separated from its combining marks', () => {
    const family = '👨‍👩‍👧‍👦';
    for (const passage of bodies(block(family.repeat(200)))) expect(passage.replaceAll(family, '')).toBe('');
  });

  test('packs a hundred thousand short lines within the time limit', async () => {
    const list = block('a\n'.repeat(100_000), 'list');
    expect(await processorMs(() => expect(bodies(list).length).toBeGreaterThan(100))).toBeLessThan(3000);
  });
});

describe('structure', () => {
  const rows = Array.from(
    { length: 40 },
    (_, index) => `Country: Number ${index}; Delivery: ${index} days; Price: £9`,
  );

  test('a long table is cut between rows', () => {
    expect(bodies(block(rows.join('\n'), 'table')).flatMap((passage) => passage.split('\n'))).toEqual(rows);
  });

  test('a long list is cut before an item, not inside one', () => {
    const items = Array.from(
      { length: 30 },
      (_, index) => `- Item ${index} of the list\n  - its first part\n  - its second part`,
    );
    for (const passage of bodies(block(items.join('\n'), 'list'))) expect(passage).toMatch(/^- Item/);
  });

  test('long code is cut at blank lines and keeps its indentation', () => {
    const functions = Array.from(
      { length: 40 },
      (_, index) => `function f${index}() {\n  return ${index};\n}\n// the end of it`,
    );
    for (const passage of bodies(block(functions.join('\n\n'), 'code'))) {
      expect(passage).toMatch(/^```\nfunction f\d+\(\) {\n {2}return[\s\S]*the end of it\n```$/);
    }
  });

  test('an introduction stays with the text that it introduces', () => {
    const text = SENTENCE.repeat(8).trim();
    const passages = bodies(block(text), block('We accept:'), block(rows.slice(0, 10).join('\n'), 'table'));
    expect(passages.find((passage) => passage.includes('We accept:'))).toContain('Country: Number 0');
  });

  test('a question stays with its answer', () => {
    const pairs = Array.from({ length: 8 }, (_, index) => [
      block(`Is part ${index} free?`),
      block(SENTENCE.repeat(3).trim()),
    ]);
    for (const passage of bodies(...pairs.flat())) expect(passage).not.toMatch(/\?$/);
  });

  test('sections with the same name in different places are not joined', () => {
    const chunks = chunk(
      block('One.', 'paragraph', ['A', 'Fees']),
      block('Two.', 'paragraph', ['B', 'Fees']),
    );
    expect(chunks.map(({ headings }) => headings)).toEqual([
      ['A', 'Fees'],
      ['B', 'Fees'],
    ]);
  });
});

describe('the window of the embedding model', () => {
  const GERMAN =
    'Die Rückgabe eines Fahrrads ist innerhalb von dreißig Tagen nach der Lieferung möglich, wenn es sauber ist. ';
  const CHINESE = '自行车可以在收到货物后三十天内退回，但必须保持清洁，并且骑行距离不得超过十公里。';
  const TECHNICAL =
    'Set PARLEY_DATA_DIR=/var/lib/parley, then run `curl -X POST https://api.juniper.example/v1/query`. ';

  test.each([
    ['English', SENTENCE],
    ['German', GERMAN],
    ['Chinese', CHINESE],
    ['technical', TECHNICAL],
  ])('fits every passage of a long %s text with its title and headings', (_, sentence) => {
    const headings = ['Sending a bicycle back', 'How to pack it into its box'];
    const chunks = chunk(block(sentence.repeat(60).trim(), 'paragraph', headings));
    for (const { body } of chunks) {
      expect(countWordPieces(`Handbook > ${headings.join(' > ')}\n${body}`)).toBeLessThanOrEqual(
        WORD_PIECE_WINDOW,
      );
    }
  });
});
