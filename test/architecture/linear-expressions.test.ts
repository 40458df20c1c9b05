import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { check, type Parameters } from 'recheck';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { maskCredentials } from '../../core/answering/masking.ts';
import { isContactRequest, isRefusal } from '../../core/answering/skills/collect-lead/lead-requests.ts';
import { isHumanRequest } from '../../core/answering/skills/escalate-to-human/escalate-to-human.ts';
import { isAttribution } from '../../core/contract/mail/strip-quotes.ts';
import { type Expression, findExpressions, recordExpressions } from '../helpers/code/regular-expressions.ts';
import { growthOf } from '../helpers/growth-ratio.ts';

const root = resolve(import.meta.dirname, '../..');
/**
 * Expressions that were found linear before: checking all of them takes two minutes. The test writes the file on
 * request.
 */
const record = resolve(root, 'test/fixtures/linear-expressions.json');
const isRecording = process.env.RECORD_EXPRESSIONS === 'true';

/** No clock decides: an attack counts where 20,000 characters take 30 million steps. */
const parameters: Parameters = {
  timeout: 30_000,
  attackTimeout: null,
  incubationTimeout: null,
  recallTimeout: -1,
  attackLimit: 30_000_000,
  maxAttackStringSize: 20_000,
  maxIteration: 3,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 30,
  mutationSize: 20,
  crossoverSize: 10,
  maxNFASize: 8_000,
};

/**
 * Expressions that the checker cannot decide on: its steps grow with the bounds of the expression, not with the text.
 * Each is measured with the text that costs it most.
 */
const measured: readonly {
  readonly place: string;
  readonly begins?: string;
  readonly texts: readonly string[];
}[] = [
  { place: 'core/language/languages/en/grammar.ts', texts: ['it ', 'it to ', 'itß ', 'it to   '] },
  {
    place: 'core/answering/safety/addresses.ts',
    texts: [
      'v.b.c.a.p.w.',
      'ab.',
      'a+',
      '²a.',
      'aaaaaaaa.',
      's.',
      'a@',
      'a.a@',
      'a-',
      'www',
      '.a',
      'http://',
    ],
  },
  {
    place: 'core/answering/safety/link-guard.ts',
    texts: ['[](\t', '[', '[[]', '](', ']( ', '[a](\t\n ', '[['.repeat(40)],
  },
];

/** Expressions that are too large for the checker; the functions that match them are measured. */
const large: readonly {
  readonly place: string;
  readonly begins: string;
  readonly match: (text: string) => unknown;
  readonly texts: readonly string[];
}[] = [
  ...[isHumanRequest, isContactRequest].map((match) => ({
    place: 'core/answering/skills/request-matcher.ts',
    begins: '',
    match,
    texts: ['customer service ', 'and ', 'can i please ', 'give me your ', 'habe ich ', ', '],
  })),
  {
    place: 'core/answering/skills/collect-lead/lead-requests.ts',
    begins: '',
    match: isRefusal,
    texts: ['no ', 'not ', 'no my mail ', 'please no '],
  },
  {
    place: 'core/answering/masking.ts',
    begins: '(?<![\\p{L}\\p{N}_])sk-',
    match: maskCredentials,
    texts: ['-eyJaaaaaaaa', 'sk-', '-SG.aaaaaaaaaaaaaaaa', '1:', 'password ', 'key: ', 'a://b:c'],
  },
  {
    place: 'core/contract/mail/strip-quotes.ts',
    begins: '(^|[^\\p{L}])(wrote',
    match: (text) => isAttribution([text]),
    texts: ['wrote ', 'a écrit ', 'skrev:'],
  },
];

/** Expressions that a function builds from its input, with an example of each. */
const examples: readonly (readonly [place: string, source: string, flags: string])[] = [
  ['connectors/email/parsing/parse-mail.ts', '^subject:[ \t]*(.*)$', 'im'],
  // This expression is built from a workspace's text, to check whether it is valid: it is never matched.
  ['core/answering/skills/http/parameters.ts', 'a', 'u'],
  ['core/tickets/mask-ticket.ts', '(?<![\\p{L}\\p{N}])(?:O’Brien-Meyer|Greta|Ben)(?![\\p{L}\\p{N}])', 'gu'],
  ['core/evaluation/gaps/mask-words.ts', '(?<![\\p{L}\\p{N}])O’Brien-Meyer(?![\\p{L}\\p{N}])', 'giu'],
  ['connectors/email/parsing/sender.ts', '(?:^|\\s)header\\.from\\s*=\\s*"?([^\\s"]+)', ''],
];

const { literals, constructions } = findExpressions(root);
const built = recordExpressions(root, constructions);
const given = examples.map(([place, source, flags]) => ({ place, source, flags }));
const isOurs = ({ place }: Expression) => /^(?:core|connectors|server|workers)\//.test(place);
const isMeasured = ({ place, source }: Expression) =>
  measured.some((each) => place.startsWith(`${each.place}:`) && source.startsWith(each.begins ?? '')) ||
  large.some((each) => place.startsWith(`${each.place}:`) && source.startsWith(each.begins));
const recorded = new Set(readRecord());
const expressions = [...literals, ...built.filter(isOurs), ...given].filter(
  (each) => recorded.has(keyOf(each)) || !isMeasured(each),
);

describe('the regular expressions of the product', () => {
  test('are all found, those that are built at run time too', () => {
    const known = new Set(built.map(({ place }) => place));
    const fileOf = (place: string) => place.slice(0, place.lastIndexOf(':'));
    const unseen = constructions.filter(
      (place) => !known.has(place) && !examples.some(([file]) => file === fileOf(place)),
    );
    expect(unseen).toEqual([]);
    expect(literals.length).toBeGreaterThan(600);
    expect(built.length).toBeGreaterThan(30);
  });

  test('match in time that grows no faster than the text', { timeout: 600_000 }, async () => {
    const linear = new Set(readRecord());
    const unchecked = expressions.filter((each) => !linear.has(keyOf(each)));
    const faults: string[] = [];
    for (const each of unchecked) {
      const found = await check(each.source, each.flags, parameters);
      if (found.status === 'safe') linear.add(keyOf(each));
      else {
        const attack = found.status === 'vulnerable' ? found.attack.pattern : 'not decided in time';
        faults.push(`${each.place} /${each.source}/${each.flags}: ${attack.slice(0, 200)}`);
      }
    }
    if (isRecording) {
      const kept = new Set(expressions.map(keyOf));
      const lines = [...linear].filter((key) => kept.has(key)).sort();
      writeFileSync(record, `${JSON.stringify(lines, null, 2)}\n`);
    }
    expect(faults).toEqual([]);
  });

  test('that are quadratic are found by the checker, also where a search only begins anew at each letter', async () => {
    for (const [source, flags] of [
      ['\\s+$', ''],
      ['a+b', 'g'],
      ['(?:\\p{L}+\\.)+[a-z]{2,24}(?:/\\S*)?@', 'gu'],
      ['„[^“]*“', 'gu'],
    ] as const) {
      expect((await check(source, flags, parameters)).status, source).toBe('vulnerable');
    }
  });

  test.each(measured)(
    '$place: time grows with the text, not with its square',
    ({ place, begins = '', texts }) => {
      const own = literals.filter(
        (each) => each.place.startsWith(`${place}:`) && each.source.startsWith(begins),
      );
      expect(own.length).toBeGreaterThan(0);
      for (const { source, flags } of own) {
        for (const text of texts) {
          const expression = new RegExp(source, `${flags.replace('g', '')}g`);
          const ratio = growthOf((whole) => whole.replace(expression, ''), text, 32_000);
          expect(ratio, `/${source}/ on ${JSON.stringify(text)}`).toBeLessThan(10);
        }
      }
    },
  );
});

test.each(large)(
  '$match.name of $place: time grows with the text, not with its square',
  ({ match, texts }) => {
    for (const text of texts) expect(growthOf(match, text, 4_000), text).toBeLessThan(10);
  },
);

function keyOf({ source, flags }: Expression): string {
  return createHash('sha256').update(`${flags} ${source}`).digest('hex').slice(0, 20);
}

function readRecord(): readonly string[] {
  return existsSync(record) ? z.array(z.string()).parse(JSON.parse(readFileSync(record, 'utf8'))) : [];
}
