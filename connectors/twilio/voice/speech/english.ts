import type { SpeechLanguage } from './speech-language.ts';

const amount = (one: string, many = `${one}s`) => ({ one, many });

const base: Omit<SpeechLanguage, 'date' | 'time'> = {
  decimal: '.',
  months: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  weekdays: [
    { name: 'Monday', short: ['Mon'] },
    { name: 'Tuesday', short: ['Tue', 'Tues'] },
    { name: 'Wednesday', short: ['Wed'] },
    { name: 'Thursday', short: ['Thu', 'Thur', 'Thurs'] },
    { name: 'Friday', short: ['Fri'] },
    { name: 'Saturday', short: ['Sat'] },
    { name: 'Sunday', short: ['Sun'] },
  ],
  ordinals: ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth'],
  to: 'to',
  per: 'per',
  plus: 'plus',
  minus: 'minus',
  webAddress: 'a web address',
  code: 'There is a piece of code here, which I leave out.',
  at: 'at',
  dot: 'dot',
  currencies: {
    '€': { one: 'euro', many: 'euros', cents: 'cents' },
    EUR: { one: 'euro', many: 'euros', cents: 'cents' },
    $: { one: 'dollar', many: 'dollars', cents: 'cents' },
    USD: { one: 'dollar', many: 'dollars', cents: 'cents' },
    '£': { one: 'pound', many: 'pounds', cents: 'pence' },
    GBP: { one: 'pound', many: 'pounds', cents: 'pence' },
    CHF: { one: 'Swiss franc', many: 'Swiss francs', cents: 'rappen' },
  },
  price(whole, fraction, { one, many, cents }) {
    const main = `${whole} ${whole === '1' ? one : many}`;
    if (Number(fraction) === 0) return main;
    const rest = `${Number(fraction)} ${Number(fraction) === 1 ? cents.replace(/s$/, '') : cents}`;
    return whole === '0' ? rest : `${main} and ${rest}`;
  },
  abbreviations: {
    'e.g.': 'for example',
    'i.e.': 'that is',
    'etc.': 'and so on',
    'approx.': 'approximately',
    'vs.': 'versus',
    'incl.': 'including',
    'excl.': 'excluding',
    'max.': 'at most',
    'min.': 'at least',
    'dept.': 'department',
    'tel.': 'telephone',
    'Tel.': 'telephone',
    'ext.': 'extension',
    'mo.': 'month',
    'yr.': 'year',
    'a.k.a.': 'also known as',
    'w/o': 'without',
    'w/': 'with',
    'No.': 'number',
    FAQs: 'frequently asked questions',
    ASAP: 'as soon as possible',
    VAT: 'V A T',
    '24/7': 'around the clock',
  },
  units: {
    'km/h': amount('kilometre per hour', 'kilometres per hour'),
    mph: amount('mile per hour', 'miles per hour'),
    km: amount('kilometre'),
    cm: amount('centimetre'),
    mm: amount('millimetre'),
    m: amount('metre'),
    'm²': amount('square metre'),
    kg: amount('kilogram'),
    g: amount('gram'),
    mg: amount('milligram'),
    lbs: amount('pound'),
    oz: amount('ounce'),
    ft: amount('foot', 'feet'),
    l: amount('litre'),
    L: amount('litre'),
    ml: amount('millilitre'),
    kB: amount('kilobyte'),
    MB: amount('megabyte'),
    GB: amount('gigabyte'),
    TB: amount('terabyte'),
    kWh: amount('kilowatt hour'),
    h: amount('hour'),
    hrs: amount('hour'),
    hr: amount('hour'),
    min: amount('minute'),
    mins: amount('minute'),
    sec: amount('second'),
    secs: amount('second'),
    yrs: amount('year'),
    '°C': amount('degree Celsius', 'degrees Celsius'),
    '°F': amount('degree Fahrenheit', 'degrees Fahrenheit'),
    '°': amount('degree'),
    '%': amount('percent', 'percent'),
  },
  signs: {
    '&': 'and',
    '≤': 'at most',
    '≥': 'at least',
    '<': 'less than',
    '>': 'more than',
    '=': 'equals',
    '≈': 'about',
    '~': 'about',
    '±': 'plus or minus',
    '×': 'by',
    '½': 'one half',
    '¼': 'one quarter',
    '¾': 'three quarters',
    '@': 'at',
    '§': 'section',
    '#': 'number',
    '→': 'then',
  },
};

/** American English: the month first, and a 12-hour clock. */
export const american: SpeechLanguage = {
  ...base,
  date: (day, month, year) => [`${month} ${day}`, ...(year === null ? [] : [year])].join(', '),
  time(hour, minute) {
    if (minute === 0 && hour % 24 === 0) return 'midnight';
    if (minute === 0 && hour === 12) return 'noon';
    const half = hour % 24 < 12 ? 'AM' : 'PM';
    const clockHour = hour % 12 === 0 ? 12 : hour % 12;
    return minute === 0 ? `${clockHour} ${half}` : `${clockHour}:${String(minute).padStart(2, '0')} ${half}`;
  },
};

/** All other English: the day first. */
export const british: SpeechLanguage = {
  ...american,
  date: (day, month, year) => [day, month, ...(year === null ? [] : [year])].join(' '),
};
