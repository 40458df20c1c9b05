import { describe, expect, test } from 'vitest';
import {
  hasHiddenCharacters,
  hasWebAddress,
  isReservedName,
  toPersonName,
} from '../../../../core/members/identity/names.ts';

describe('a reserved name', () => {
  test.each([
    'operator',
    'Operator',
    ' O P E R A T O R ',
    'op\u0435rator',
    '\u043eperat\u043er',
    '0perator',
    'ｏｐｅｒａｔｏｒ',
    'opérator',
    'oper-ator.',
    'PARLEY',
    'Parley Support',
    'par1ey',
    'adm1n',
    'A|',
    'System',
    'AI',
    'Αssistant',
    '\u0430ss\u0456stant',
  ])('is recognised as %j', (name) => {
    expect(isReservedName(name)).toBe(true);
  });

  test.each(['Ann', 'Parley Smith', 'Ada Operator-Jones', 'Оператор Иван', 'Aisha', 'Al', '李', 'Rootes'])(
    'is not %j',
    (name) => {
      expect(isReservedName(name)).toBe(false);
    },
  );
});

test.each(['a\nb', 'a\rb', 'a\u2028b', 'a\u202eb', 'a\u2066b', 'a\u0000b', 'a\u200bb', '\u0085'])(
  'line ends, control and direction characters of %j are found',
  (name) => {
    expect(hasHiddenCharacters(name)).toBe(true);
  },
);

test.each(['Zoë Müller-Lüdenscheidt', '佐藤 花子', 'محمد', "O'Brien & Sons", 'a\u200db 👩‍💻'])(
  'the name %j has none',
  (name) => {
    expect(hasHiddenCharacters(name)).toBe(false);
  },
);

test.each([
  'https://evil.example',
  'see WWW.evil.example',
  'ｗｗｗ.evil.example',
  'evil.example/login',
  'x://y',
])('the address in %j is found', (name) => {
  expect(hasWebAddress(name)).toBe(true);
});

test.each(['Acme Inc.', 'St. John', 'Dr. A. Smith', 'Acme / Support', 'wwwidget'])(
  '%j holds none',
  (name) => {
    expect(hasWebAddress(name)).toBe(false);
  },
);

test('a name of a provider that nobody may choose is replaced by the address', () => {
  expect(toPersonName('Ann', 'a@acme.example')).toBe('Ann');
  expect(toPersonName('system', 'sys@acme.example')).toBe('sys');
  expect(toPersonName('a\nBcc: x', 'a@acme.example')).toBe('a');
  expect(toPersonName(undefined, 'operator@acme.example')).toBe('operator@acme.example');
  expect(toPersonName('x'.repeat(81), 'a@acme.example')).toBe('a');
});
