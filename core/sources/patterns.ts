import { RE2JS } from 're2js';
import { decodeOrKeep } from '../base/text.ts';

interface Patterns {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/**
 * Returns a function that tells whether the patterns of a source permit an address, or a path such as
 * `guides/start.md`. `exclude` takes precedence; without `include` everything else is wanted. It runs in linear time.
 */
export function createFilter({ include, exclude }: Patterns): (address: string) => boolean {
  const included = include.map(compilePattern);
  const excluded = exclude.map(compilePattern);
  return (address) => {
    const forms = formsOf(address);
    if (excluded.some((matches) => matches(forms))) return false;
    return included.length === 0 || included.some((matches) => matches(forms));
  };
}

/** The parts of an address that patterns are compared with. */
interface AddressForms {
  readonly whole: string;
  readonly path: string;
  readonly query: string;
}

function formsOf(address: string): AddressForms {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? URL.parse(address) : null;
  if (url === null) return { whole: address, path: `/${address.replace(/^\//, '')}`, query: '' };
  const whole = url.href.slice(0, url.href.length - url.hash.length);
  return { whole, path: decodeOrKeep(url.pathname), query: url.search };
}

/**
 * A pattern with a scheme is compared with the whole address, one that starts with a slash with the path, any other with
 * the end of the path. A pattern with a question mark is compared with the query too.
 */
function compilePattern(pattern: string): (forms: AddressForms) => boolean {
  const isWhole = pattern.includes('://');
  const expression = RE2JS.compile(
    isWhole || pattern.startsWith('/') ? toExpression(pattern) : `(?:.*/)?${toExpression(pattern)}`,
    RE2JS.DOTALL,
  );
  const hasQuery = pattern.includes('?');
  return ({ whole, path, query }) => expression.matches(isWhole ? whole : hasQuery ? path + query : path);
}

/** `*` matches anything within a part of the path, `**` anything; `/**` at the end also matches the folder itself. */
function toExpression(pattern: string): string {
  const isTree = pattern.endsWith('/**');
  const text = isTree ? pattern.slice(0, -3) : pattern;
  const parts = text.split(/(\*+)/).map((part, index) => {
    if (index % 2 === 0) return RE2JS.quote(part);
    return part === '*' ? '[^/]*' : '.*';
  });
  return parts.join('') + (isTree ? '(?:/.*)?' : '');
}
