import { defaultTreeAdapter, html } from 'parse5';
import {
  findElement,
  getAttribute,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
  parseHtml,
  pruneTree,
} from './parse-html.ts';

/** A part that the structured data of a page states, and that its text may lack. */
export interface StatedPart {
  readonly heading: string;
  readonly facts: readonly StatedFact[];
}

interface StatedFact {
  readonly label: string;
  /** Text or HTML. */
  readonly value: string;
  /** Texts any of which shows that the page says it. */
  readonly signs: readonly string[];
}

const MAX_CHARACTERS = 500_000;
const MAX_PARTS = 200;
const MAX_OFFERS = 20;
const MAX_DEPTH = 8;
const MAX_VALUE = 20_000;
/** Long answers are compared by their beginning: pages shorten them or add links. */
const SIGN_CHARACTERS = 80;

/** Reads questions with answers (`FAQPage`) and products (`Product`) of a page's JSON-LD, before scripts are removed. */
export function readStructuredData(page: HtmlParent): readonly StatedPart[] {
  const parts: StatedPart[] = [];
  const language = getAttribute(
    findElement(page, ({ tagName }) => tagName === 'html') ?? emptyElement,
    'lang',
  );
  findElement(page, (element) => {
    if (element.tagName === 'script' && /ld\+json/i.test(getAttribute(element, 'type') ?? ''))
      collectParts(parseJson(scriptText(element)), { parts, language: language ?? 'en', depth: 0 });
    return false;
  });
  return parts.slice(0, MAX_PARTS);
}

const emptyElement = defaultTreeAdapter.createElement('html', html.NS.HTML, []);

/** Appends to `content` what the text under it does not say. */
export function appendStatedParts(content: HtmlParent, parts: readonly StatedPart[]): void {
  if (parts.length === 0) return;
  const shown = comparable(plainText(content));
  for (const { heading, facts } of parts) {
    const missing = facts.filter(({ signs }) => !signs.some((sign) => shown.includes(comparable(sign))));
    if (missing.length > 0) appendPart(content, { heading, facts: missing });
  }
}

function appendPart(content: HtmlParent, { heading, facts }: StatedPart): void {
  const section = defaultTreeAdapter.createElement('section', html.NS.HTML, []);
  const title = appendElement(section, 'h2');
  defaultTreeAdapter.insertText(title, heading);
  const body = facts.map(({ label, value }) =>
    label === '' ? `<div>${value}</div>` : `<p>${label}: ${value}</p>`,
  );
  const parsed = parseHtml(body.join(''));
  pruneTree(parsed, { keepLandmarks: true });
  const found = findElement(parsed, ({ tagName }) => tagName === 'body');
  for (const node of found?.childNodes ?? []) defaultTreeAdapter.appendChild(section, node);
  defaultTreeAdapter.appendChild(content, section);
}

function appendElement(parent: HtmlElement, tagName: string): HtmlElement {
  const element = defaultTreeAdapter.createElement(tagName, html.NS.HTML, []);
  defaultTreeAdapter.appendChild(parent, element);
  return element;
}

interface Collection {
  readonly parts: StatedPart[];
  readonly language: string;
  readonly depth: number;
}

function collectParts(value: unknown, collection: Collection): void {
  const { parts, depth } = collection;
  if (depth > MAX_DEPTH || parts.length >= MAX_PARTS) return;
  if (Array.isArray(value)) {
    for (const item of value) collectParts(item, { ...collection, depth: depth + 1 });
    return;
  }
  if (!isRecord(value)) return;
  const types = [value['@type']].flat();
  if (types.includes('Question')) collectQuestion(value, parts);
  else if (types.includes('Product')) collectProduct(value, collection);
  else {
    for (const name of ['@graph', 'mainEntity', 'mainEntityOfPage', 'hasPart'])
      collectParts(value[name], { ...collection, depth: depth + 1 });
  }
}

function collectQuestion(question: Readonly<Record<string, unknown>>, parts: StatedPart[]): void {
  const [accepted] = [question.acceptedAnswer ?? question.suggestedAnswer].flat();
  const heading = textOf(question.name);
  const value = isRecord(accepted) ? textOf(accepted.text) : '';
  if (heading === '' || value === '') return;
  const sign = comparable(plainText(parseHtml(value))).slice(0, SIGN_CHARACTERS);
  parts.push({ heading, facts: [{ label: '', value, signs: [sign] }] });
}

const labels = {
  en: { price: 'Price', availability: 'Availability' },
  de: { price: 'Preis', availability: 'Verfügbarkeit' },
};

/**
 * The availabilities by the last part of their address. The first text of each language is written; any of them
 * counts as said.
 */
const availabilities: Readonly<
  Record<string, Readonly<Record<'en' | 'de', readonly [string, ...string[]]>>>
> = {
  InStock: { en: ['in stock'], de: ['auf Lager', 'sofort lieferbar'] },
  OutOfStock: { en: ['out of stock', 'sold out'], de: ['nicht auf Lager', 'ausverkauft', 'nicht lieferbar'] },
  SoldOut: { en: ['sold out', 'out of stock'], de: ['ausverkauft', 'nicht lieferbar'] },
  PreOrder: { en: ['pre-order'], de: ['vorbestellbar', 'vorbestellen'] },
  BackOrder: { en: ['on back order', 'backorder'], de: ['nachbestellt', 'nachbestellbar'] },
  LimitedAvailability: { en: ['limited availability'], de: ['begrenzt verfügbar'] },
  InStoreOnly: { en: ['in store only'], de: ['nur im Geschäft'] },
  OnlineOnly: { en: ['online only'], de: ['nur online'] },
  Discontinued: { en: ['discontinued'], de: ['nicht mehr erhältlich'] },
};

function collectProduct(product: Readonly<Record<string, unknown>>, { parts, language }: Collection): void {
  const heading = textOf(product.name);
  const code = language.toLowerCase().startsWith('de') ? 'de' : 'en';
  const offers = [product.offers]
    .flat()
    .flatMap((offer) => (isRecord(offer) ? [offer, ...[offer.offers].flat().filter(isRecord)] : []));
  const facts = offers.slice(0, MAX_OFFERS).flatMap((offer) => offerFacts(offer, code));
  const different = facts.filter(
    (fact, place) => facts.findIndex(({ value }) => value === fact.value) === place,
  );
  if (heading !== '' && different.length > 0) parts.push({ heading, facts: different });
}

function offerFacts(offer: Readonly<Record<string, unknown>>, code: 'en' | 'de'): readonly StatedFact[] {
  const facts: StatedFact[] = [];
  const variant = textOf(offer.name);
  const suffix = variant === '' ? '' : ` (${variant})`;
  const currency = textOf(offer.priceCurrency);
  const low = textOf(offer.price) || textOf(offer.lowPrice);
  const high = textOf(offer.highPrice);
  if (/\d/.test(low)) {
    const range = high === '' || high === low ? low : `${low} – ${high}`;
    facts.push({
      label: labels[code].price,
      value: escapeText(`${`${range} ${currency}`.trim()}${suffix}`),
      signs: priceSigns(low),
    });
  }
  const state = availabilities[textOf(offer.availability).split(/[/#]/).at(-1) ?? ''];
  if (state !== undefined) {
    const [said] = state[code];
    facts.push({
      label: labels[code].availability,
      value: escapeText(`${said}${suffix}`),
      signs: [...state.en, ...state.de],
    });
  }
  return facts;
}

/** Shops write 84.5 as 84.50 or 84,50, and 84.00 as 84. */
function priceSigns(price: string): readonly string[] {
  const amount = Number(price.replace(',', '.'));
  if (!Number.isFinite(amount)) return [price];
  const whole = Number.isInteger(amount)
    ? [` ${amount} `, `${amount} €`, `€${amount}`, `$${amount}`, `£${amount}`]
    : [];
  return [amount.toFixed(2), amount.toFixed(2).replace('.', ','), ...whole];
}

function scriptText(script: HtmlElement): string {
  return script.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}

function parseJson(text: string): unknown {
  if (text.length > MAX_CHARACTERS) return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    // Many pages have damaged data; browsers ignore it too.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value.slice(0, MAX_VALUE).replace(/\s+/g, ' ').trim() : '';
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function plainText(node: HtmlParent | HtmlNode): string {
  if ('value' in node) return node.value;
  if (!('childNodes' in node) || node.nodeName === 'script' || node.nodeName === 'style') return '';
  return ` ${node.childNodes.map(plainText).join('')} `;
}

function comparable(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase();
}
