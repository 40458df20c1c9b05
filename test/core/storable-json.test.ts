import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toStorableValue } from '../../core/base/text.ts';

const parsed = (json: string) => toStorableValue(JSON.parse(json), json);

test('NULs are removed and lone surrogates replaced, in names and values at any depth', () => {
  const json = String.raw`{"a\u0000":["b\u0000",{"c":"\ud83d d"}],"e":"\ud83d\ude00","f":1,"g":null}`;
  expect(parsed(json)).toEqual({ a: ['b', { c: '\ufffd d' }], e: '😀', f: 1, g: null });
});

test('storable values are unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const json = JSON.stringify(value);
      fc.pre(!json.includes(String.raw`\u0000`));
      expect(parsed(json)).toEqual(JSON.parse(json));
    }),
  );
});
