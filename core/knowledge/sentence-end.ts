/** Abbreviations that never end a sentence: something follows them. */
const INNER =
  words(`mr mrs ms dr prof st sr sra dra mme mlle hr fr frau ing dipl gen col capt lt sgt rev hon gov sen rep
  vs e.g i.e eg ie cf viz al approx ca circa bzw z.b d.h u.a o.ä ggf evtl vgl bspw inkl exkl nr abs art aufl bd str
  tel no nos vol fig figs eq sec ch p pp ed eds para núm pág p.ej ej av avda rte n° u.s u.k u.n d.c`);
/** Abbreviations that may end a sentence: they do when the next word is one that sentences begin with. */
const FINAL = words(
  'etc inc ltd corp co llc bros jr a.m p.m b.c a.d ph.d u.s.a e.u usw uvm s.a s.l e.v jan feb mar apr jun jul aug sep sept oct nov dec u.s u.k u.n d.c',
);
const STARTERS =
  words(`the a an it its this that these those he she they we you i in on at for if when after before but
  and or as by from there here all our your his her their with while since although however please der die das ein eine
  er sie es wir im in bei wenn el la los las un una en si le les une il elle nous vous`);
const MONTHS =
  words(`januar februar märz april mai juni juli august september oktober november dezember jahrhundert
  jahrhunderts quartal klasse januari februari maart mei augustus`);

/** No abbreviation is longer; texts without spaces are not read again for each of their full stops. */
const LONGEST_WORD = 100;
const OPENING = /^[("'“„«[]+/u;

/** Whether the full stop between two pieces of a line ends a sentence. `before` ends with the stop itself. */
export function endsSentence(before: string, after: string): boolean {
  if (!before.endsWith('.')) return true;
  const tail = before.slice(-LONGEST_WORD);
  const last = tail.slice(tail.lastIndexOf(' ') + 1, -1).replace(OPENING, '');
  if (last === '') return true;
  const word = last.toLowerCase();
  const next = (/^[\p{L}\p{N}'’]+/u.exec(after)?.[0] ?? '').toLowerCase();
  if (/^\p{Lu}$/u.test(last)) return word !== 'i' && STARTERS.has(next) && next.length > 1;
  if (/^\d{1,2}$/u.test(word) && MONTHS.has(next)) return false;
  if (FINAL.has(word)) return STARTERS.has(next);
  return !INNER.has(word);
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/u));
}
