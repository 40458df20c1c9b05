const english = `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
  eighteen nineteen twenty`;
const german = `zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn
  achtzehn neunzehn zwanzig`;
const spanish = `dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete
  dieciocho diecinueve veinte`;
const french = `deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dixsept dixhuit
  dixneuf vingt`;
const tens = [
  'thirty forty fifty sixty seventy eighty ninety hundred',
  'dreissig vierzig funfzig sechzig siebzig achtzig neunzig hundert',
  'treinta cuarenta cincuenta sesenta setenta ochenta noventa cien',
  'trente quarante cinquante soixante septante quatrevingt nonante cent',
];

/** The digits for a folded number word: a passage says `three days` where an answer says `3 days`. */
export const numberWords: ReadonlyMap<string, string> = new Map([
  ...[english, german, spanish, french].flatMap((list) => numbered(list, (index) => index + 2)),
  ...tens.flatMap((list) => numbered(list, (index) => (index + 3) * 10)),
]);

function numbered(list: string, valueAt: (index: number) => number): [string, string][] {
  return list.split(/\s+/u).map((word, index) => [word, String(valueAt(index))]);
}
