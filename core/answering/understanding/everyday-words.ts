import type { RankedChunk } from '../../knowledge/passage.ts';
import { stemWord } from '../../language/tokens.ts';
import { fold, splitWords } from '../../language/words.ts';
import { answerRules } from '../rules.ts';

/**
 * Words that visitors use and words of help pages that mean the same in a question, in English. A word with spaces is a
 * phrase. A question that finds no answer is asked again in the words of the passages near it.
 */
const GROUPS: readonly string[] = [
  'delivery, shipping, postage, shipment, dispatch',
  'deliver, ship, send, post, mail, dispatch',
  'parcel, package, order, shipment, goods',
  'damaged, broken, smashed, cracked, shattered, dented, in pieces',
  'faulty, defective, broken, does not work, doesnt work, not working, stopped working, kaputt',
  'cost, price, charge, fee, pay, how expensive, how much money',
  'cheapest, lowest price, smallest',
  'refund, money back, my money, reimburse, reimbursement',
  'return, send back, give back, bring back, take back, returning',
  'exchange, swap, replace',
  'cancel, stop, quit, terminate, unsubscribe, get out of',
  'subscription, subscribe, membership, plan, contract, monthly',
  'minimum term, minimum contract, minimum period, commitment, tied in',
  'expire, run out, valid, expiry, disappear, lapse, last',
  'gift card, voucher, gift voucher, gift certificate',
  'promotion code, promo code, discount code, coupon, voucher, coupon code',
  'discount, reduction, rebate, money off, percent off',
  'account, profile, login',
  'sign in, log in, login, log on, get in',
  'locked, shut out, locked out, blocked, cant get in, cannot get in',
  'password, passcode, pass word',
  'invoice, bill, receipt',
  'card, credit card, debit card',
  'instalments, installments, spread the cost, pay later, in parts',
  'located, based, headquarters',
  'phone, telephone, call, ring, phone number, speak to',
  'e-mail, email, mail, write to',
  'contact, reach, get in touch, get hold of',
  'opening hours, open, close, hours, closing time',
  'shop, store, branch',
  'company, business, firm, you guys',
  'founded, started, set up, began',
  'warranty, guarantee, guaranteed',
  'repair, fix, mend, repaired, service',
  'clean, wash, rinse, wipe',
  'complaint, complain, complaints, not happy, unhappy, wrong',
  'delete, remove, erase, close',
  'create, make, add, set up, open',
  'change, alter, edit, modify, update, correct, fix',
  'reset, restart, start over, start again, from scratch',
  'size, dimensions, how big, how large',
  'weight, how heavy, weigh, weighs',
  'children, kids, child, minors',
  'aged, age, how old',
  'details, data, information, personal data',
  'share, pass on, sell, hand over',
  'advertising, advertisers, ads, marketing',
  'late, delayed, not arrived, never got, has not come, overdue',
  'lost, missing, gone, disappeared',
  'noisy, loud, humming, noise',
  'points, rewards, loyalty, bonus',
  'collect, pick up, collection, in person, fetch',
  'parking, park, parking spaces, car park',
  'accessible, wheelchair, disabled, step-free',
  'pause, break, suspend, put on hold, freeze',
  'skip, leave out, miss',
  'deadline, cut-off, cutoff, latest time, last moment',
  'customs, duties, import charges, tax',
  'maximum, limit, at most, largest, max',
  'minimum, smallest, at least',
  'includes, included, comes with, contains, get with',
  'leaks, leaking, drips, water comes out',
  'harmful, dangerous, harmless, poisonous, safe',
  'error, problem, failure, trouble',
  'install, set up, installation',
  'remove, uninstall, take out',
  'start, run, launch, boot',
  'supported, works with, compatible, run on',
  'employees, staff, people, team',
  'abroad, overseas, another country, other countries, international',
  'gift wrapping, wrapping, wrap, gift wrap',
  'declined, refused, failed, rejected',
  'unclog, unblock, clogged, blocked, blockage',
  'insects, bugs, flies, pests',
  'resellers, trade, retailers, wholesale, resale',
  'first purchase, first order, opening order, initial order',
  'show up, arrive, appear, are added, are credited, get credited',
  'factory reset, reset, restore, start afresh',
  'void, invalidate, affect, end',
  'adaptor, adapter, plug, power supply, charger',
  'keep, kept, stored, hold, retain, retention',
  'billed, charged, invoiced, debited',
  'upgrade, move up, change plan, bigger plan',
  'downgrade, move down, smaller plan',
  'trial, free trial, test period, try out',
  'integrate, connect, integration, link, hook up',
  'outage, down, offline, unavailable',
  'crash, crashes, freezes, hangs',
  'slow, sluggish, lagging, delayed',
  'back up, backup, export',
  'recover, restore, get back, undelete',
  'role, permission, rights, access',
  'admin, administrator, owner',
  '2fa, two-factor, two-step, mfa, authenticator',
  'username, user name, login name',
  'notify, notification, alert, reminder',
  'ram, memory',
  'quota, limit, allowance, cap',
  'twice, duplicate, more than once, double',
  'settings, preferences, options, configuration',
  'configure, set up, adjust',
  'search, look for, find',
  'attach, attachment, upload, add a file',
  'picture, photo, image, screenshot',
  'confirm, verify, verification, confirmation',
  'apply, application, fill in',
  'cut, trim, prune, harvest',
  'engraved, engraving, personalised, with my name',
  'present, gift',
  'friend, somebody else, someone else, another person',
  'nobody home, not at home, not in, away',
  'smell, odour, smells, stinks',
  'refill, fill up, top up',
];

/** Words that say nothing about what is asked, in the sense of `I want to send this stuff back if I don't like it`. */
const FILLERS = new Set(
  `stuff thing things something anything everything actually basically really just simply maybe please hi hello hey guys
  want wants wanted wanna need needs like would love looking wondering know tell explain quickly quick already still
  anyway somehow someone somebody anybody ok okay sure kindly help`
    .trim()
    .split(/\s+/u),
);

const MAX_PHRASE_WORDS = 4;

/** Alternatives by the words of a phrase, each as its words. */
const alternatives = readGroups();

/**
 * Returns the question in the words of the passages that were found for it: each everyday word that they lack is replaced by
 * one of the same meaning that they hold. Null if there is nothing to replace. Pure.
 */
export function everydayReading(
  question: string,
  ranked: readonly Pick<RankedChunk, 'title' | 'headings' | 'body'>[],
): string | null {
  const near = ranked.slice(0, answerRules.everydayPassages).map(passageStems);
  const words = splitWords(fold(question).replace(/['’]/gu, ''));
  const spoken: string[] = [];
  let isReplaced = false;
  for (let at = 0; at < words.length; ) {
    const phrase = longestPhrase(words, at);
    const replacement = phrase === null ? null : bestAlternative(phrase, near);
    if (phrase !== null && replacement !== null) {
      spoken.push(...replacement);
      isReplaced = true;
      at += phrase.length;
      continue;
    }
    const word = words[at] ?? '';
    at += 1;
    if (isTwisted(word) && !holds([word], near)) isReplaced = true;
    else if (!FILLERS.has(word) || holds([word], near)) spoken.push(word);
  }
  return isReplaced ? spoken.join(' ') : null;
}

const QUESTION_WORDS = 'how much many long what when where which who why does your with have there'.split(
  ' ',
);
const twisted = new Set(QUESTION_WORDS.map(sortLetters));

/** Whether a word is a question word with its letters in another order: `mcuh`. */
function isTwisted(word: string): boolean {
  return !QUESTION_WORDS.includes(word) && twisted.has(sortLetters(word));
}

function sortLetters(word: string): string {
  return [...word].toSorted().join('');
}

type Phrase = readonly string[];

function longestPhrase(words: readonly string[], at: number): Phrase | null {
  for (let length = MAX_PHRASE_WORDS; length > 0; length -= 1) {
    const phrase = words.slice(at, at + length);
    if (phrase.length === length && alternatives.has(keyOf(phrase))) return phrase;
  }
  return null;
}

function bestAlternative(phrase: Phrase, near: readonly ReadonlySet<string>[]): Phrase | null {
  if (holds(phrase, near)) return null;
  let best: Phrase | null = null;
  let most = 0;
  for (const alternative of alternatives.get(keyOf(phrase)) ?? []) {
    const count = near.reduce(
      (sum, stems, index) => sum + (isWithin(alternative, stems) ? 1 / (index + 1) : 0),
      0,
    );
    if (count > most) [best, most] = [alternative, count];
  }
  return best;
}

function holds(phrase: Phrase, near: readonly ReadonlySet<string>[]): boolean {
  return near.some((stems) => isWithin(phrase, stems));
}

function isWithin(phrase: Phrase, stems: ReadonlySet<string>): boolean {
  const own = phrase.flatMap(stemWord);
  return own.length > 0 && own.every((stem) => stems.has(stem));
}

function passageStems({
  title,
  headings,
  body,
}: Pick<RankedChunk, 'title' | 'headings' | 'body'>): ReadonlySet<string> {
  const text = fold([title ?? '', ...headings, body].join('\n'));
  return new Set(splitWords(text).flatMap(stemWord));
}

/** Words are found in any form: `returning` as `return`. */
function keyOf(phrase: Phrase): string {
  return phrase.map((word) => stemWord(word)[0] ?? word).join(' ');
}

function readGroups(): ReadonlyMap<string, readonly Phrase[]> {
  const found = new Map<string, Phrase[]>();
  for (const group of GROUPS) {
    const phrases = group.split(',').map((phrase) => splitWords(fold(phrase)));
    for (const phrase of phrases) {
      const others = phrases.filter((other) => keyOf(other) !== keyOf(phrase));
      found.set(keyOf(phrase), [...(found.get(keyOf(phrase)) ?? []), ...others]);
    }
  }
  return found;
}
