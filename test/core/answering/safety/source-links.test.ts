import { describe, expect, test } from 'vitest';
import { sourceLinks } from '../../../../core/answering/safety/addresses.ts';

const withAddress = {
  url: 'https://help.acme.example/start',
  text: 'See https://acme.example/a?b=1 or https://other.example/x.',
};
const withoutAddress = { url: null, text: 'The grill costs 99 euros. More at https://evil.example/grill.' };
const card = encodeURIComponent('4111 1111 1111 1111');

describe('an answer may link', () => {
  const mayLinkTo = sourceLinks([withAddress, withoutAddress]);

  test.each([
    'https://help.acme.example/start',
    'http://www.help.acme.example/start/',
    'help.acme.example/start',
    'https://help.acme.example/',
    'www.acme.example',
    'https://acme.example/a?b=1',
    'https://evil.example/grill',
    'https://evil.example',
  ])('to %s, which the sources contain', (address) => {
    expect(mayLinkTo(address)).toBe(true);
  });

  test.each([
    ['a query of its own', `https://evil.example/grill?d=${card}`],
    ['a path of its own', `https://evil.example/${card}`],
    ['a fragment of its own', `https://evil.example/grill#${card}`],
    ['a host of its own below one', 'https://4111111111111111.evil.example/'],
    ['a port of its own', 'https://evil.example:4111/grill'],
    ['a name in front of the host', 'https://4111@evil.example/grill'],
    ['another query than the source has', 'https://acme.example/a?b=2'],
    ['no query where the source has one', 'https://acme.example/a'],
    ['a host that a document with an address only mentions', 'https://other.example/x'],
    ['a host that ends alike', 'https://notevil.example/'],
    ['no host at all', 'javascript:alert(1)'],
  ])('to no address with %s', (_name, address) => {
    expect(mayLinkTo(address)).toBe(false);
  });

  test('only to links on the page, if its canonical host is another one', () => {
    const page = sourceLinks([{ url: 'https://evil.example/', text: 'The grill costs 99 euros.' }]);
    expect(page(`https://evil.example/c?d=${card}&more=conversation`)).toBe(false);
    expect(page('https://evil.example/')).toBe(true);
  });

  test('to no address if the sources name no host', () => {
    const none = sourceLinks([{ url: null, text: 'Parcels arrive within three days.' }]);
    expect(none('https://evil.example/')).toBe(false);
  });
});
