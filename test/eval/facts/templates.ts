/** Two pages with a sentence each: `{s}` is a name, `{a}` and `{b}` are values. */
export interface PairTemplate {
  readonly titles: readonly [string, string];
  readonly texts: readonly [string, string];
  readonly slot: 'place' | 'product' | 'name' | 'none';
  /** The values of each instance. */
  readonly values: readonly (readonly [string, string])[];
  readonly language?: 'de';
}

export interface FactTemplates {
  readonly contradictions: readonly PairTemplate[];
  /** Pairs that look alike and do not contradict each other. */
  readonly decoys: readonly PairTemplate[];
  /** Sentences of which the first date is over on 27 November 2026, with titles. */
  readonly stale: readonly (readonly [string, string])[];
  /** Sentences with a date that are not out of date. */
  readonly current: readonly (readonly [string, string])[];
}

/** A pipe table. */
export const table = (head: string, ...rows: readonly string[]) => {
  const width = head.split('|').length;
  const lines = [head, Array.from({ length: width }, () => '---').join(' | '), ...rows];
  return lines.map((line) => `| ${line} |`).join('\n');
};

/** The rules were tuned on these and those of `second-templates.ts`. */
export const developed: FactTemplates = {
  contradictions: [
    {
      titles: ['Returns of the {s}', 'Frequently asked questions about the {s}'],
      texts: [
        'You can return the {s} within {a} of delivery.',
        'We take the {s} back up to {b} after delivery.',
      ],
      slot: 'product',
      values: [
        ['30 days', '14 days'],
        ['two months', '30 days'],
      ],
    },
    {
      titles: ['Opening hours {s}', 'Directions to our shop in {s}'],
      texts: [
        'Our shop in {s} opens at {a} from Monday to Friday.',
        'From Monday to Friday the {s} shop opens at {b}.',
      ],
      slot: 'place',
      values: [
        ['9:00', '10:00'],
        ['8.30 am', '9.30 am'],
      ],
    },
    {
      titles: ['{s}: data sheet', 'Buying guide'],
      texts: [table('Property | Value', 'Weight | {a}', 'Colour | Black'), 'The weight of the {s} is {b}.'],
      slot: 'product',
      values: [
        ['2.4 kg', '3.1 kg'],
        ['870 g', '910 g'],
      ],
    },
    {
      titles: ['Warranty', 'The {s} at a glance'],
      texts: ['The {s} has a warranty of {a}.', 'Every {s} comes with a {b} warranty.'],
      slot: 'product',
      values: [
        ['24 months', 'three-year'],
        ['five years', '36-month'],
      ],
    },
    {
      titles: ['Membership of {s}', 'Prices'],
      texts: ['The annual membership of {s} costs {a}.', 'Annual membership of {s}: {b}'],
      slot: 'name',
      values: [
        ['€120', '140 EUR'],
        ['1,200.00 dollars', '$ 1,350'],
      ],
    },
    {
      titles: ['Dogs in {s}', 'House rules of our hotel in {s}'],
      texts: ['Dogs are allowed in our hotel in {s}.', 'Dogs are not allowed in the {s} hotel.'],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Storage of {s}', 'Compare plans'],
      texts: [
        'The {s} plan includes {a} of storage.',
        table('Plan | Storage | Users', '{s} | {b} | 5', 'Starter | 1 GB | 1'),
      ],
      slot: 'name',
      values: [
        ['50 GB', '80 GB'],
        ['500 GB', '1 TB'],
      ],
    },
    {
      titles: ['Registration for {s}', 'News'],
      texts: [
        'Registration for the {s} festival closes on {a}.',
        'The {s} festival closes its registration on {b}.',
      ],
      slot: 'place',
      values: [
        ['3 May 2027', '5 May 2027'],
        ['March 31st, 2027', '15 March 2027'],
      ],
    },
    {
      titles: ['Discounts', 'Students in {s}'],
      texts: ['Students in {s} get a discount of {a}.', 'In {s} we give students {b} discount.'],
      slot: 'place',
      values: [
        ['10%', '15 percent'],
        ['20 %', '25 %'],
      ],
    },
    {
      titles: ['Refunds by {s}', 'Payment with {s}'],
      texts: ['A refund through {s} takes {a}.', 'Refunds through {s} arrive after {b}.'],
      slot: 'name',
      values: [
        ['5 working days', '10 business days'],
        ['24 hours', 'three days'],
      ],
    },
    {
      titles: ['Parking in {s}', 'Getting to {s}'],
      texts: [
        'Parking at our {s} office is free and has room for {a} cars.',
        'The parking of our office in {s} has room for {b} cars.',
      ],
      slot: 'place',
      values: [
        ['40', '25'],
        ['120', '80'],
      ],
    },
    {
      titles: ['The {s} tour', 'Timetable of tours'],
      texts: [
        'The {s} tour starts at {a}.',
        table('Tour | Start | Guide', '{s} tour | {b} | Ann', 'Night walk | 22:00 | Bo'),
      ],
      slot: 'place',
      values: [
        ['14:30', '3 pm'],
        ['11:00', '10.30 am'],
      ],
    },
    {
      titles: ['Cleaning the {s}', 'Care instructions'],
      texts: ['The {s} is suitable for the dishwasher.', 'The {s} is not suitable for the dishwasher.'],
      slot: 'product',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Lieferung nach {s}', 'Häufige Fragen'],
      texts: ['Die Lieferung nach {s} kostet {a}.', 'Für die Lieferung nach {s} berechnen wir {b}.'],
      slot: 'place',
      values: [
        ['4,90 Euro', '5,90 €'],
        ['1.299,00 Euro', '1.399 Euro'],
      ],
      language: 'de',
    },
    {
      titles: ['Garantie auf {s}', 'Produktseite {s}'],
      texts: ['Die Garantie für {s} beträgt {a}.', 'Für {s} gilt eine Garantie von {b}.'],
      slot: 'name',
      values: [
        ['24 Monate', 'drei Jahren'],
        ['zwei Jahre', '12 Monaten'],
      ],
      language: 'de',
    },
    {
      titles: ['Öffnungszeiten {s}', 'Filiale {s}'],
      texts: ['Die Filiale {s} öffnet um {a}.', 'Unsere Filiale {s} ist ab {b} geöffnet.'],
      slot: 'place',
      values: [
        ['9 Uhr', '10:00 Uhr'],
        ['8.30 Uhr', '9.00 Uhr'],
      ],
      language: 'de',
    },
    {
      titles: ['Battery of the {s}', 'Reviews answered'],
      texts: ['The battery of the {s} lasts {a}.', 'With one charge, the battery of the {s} runs for {b}.'],
      slot: 'product',
      values: [
        ['12 hours', '8 hours'],
        ['90 minutes', 'two hours'],
      ],
    },
    {
      titles: ['Team', 'About our {s} office'],
      texts: ['{a} engineers work in our {s} office.', 'In our {s} office there are {b} engineers.'],
      slot: 'place',
      values: [
        ['35', '42'],
        ['twelve', '15'],
      ],
    },
    {
      titles: ['Export from {s}', 'Plans and limits'],
      texts: [
        table('Feature | {s} | Basic', 'Export | yes | no', 'Search | yes | yes'),
        table('Plan | Export | Search', '{s} | no | yes', 'Light | no | no'),
      ],
      slot: 'name',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Minimum age', 'The {s} course'],
      texts: ['The minimum age for the {s} course is {a}.', 'For the {s} course, the minimum age is {b}.'],
      slot: 'place',
      values: [
        ['16 years', '18 years'],
        ['six years', '8 years'],
      ],
    },
    {
      titles: ['Late fees of {s}', 'Library rules'],
      texts: [
        'The {s} library charges {a} for each late book.',
        'Each late book costs {b} at the {s} library.',
      ],
      slot: 'place',
      values: [
        ['0.50 EUR', '€1'],
        ['£2', '£3'],
      ],
    },
    {
      titles: ['Card payment in {s}', 'Paying'],
      texts: ['The café in {s} accepts cards.', 'Cards are not accepted in the {s} café.'],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Capacity of {s}', 'Event rooms'],
      texts: [
        'The hall in {s} seats {a} guests.',
        table('Hall | Seats', '{s} hall | {b} guests', 'Garden | 90 guests'),
      ],
      slot: 'place',
      values: [
        ['300', '250'],
        ['1,200', '1.500'],
      ],
    },
    {
      titles: ['Notice period of {s}', 'Ending a contract'],
      texts: ['The notice period for {s} contracts is {a}.', 'A {s} contract has a notice period of {b}.'],
      slot: 'name',
      values: [
        ['three months', '30 days'],
        ['two weeks', 'one month'],
      ],
    },
    {
      titles: ['Support', 'Service hours of {s}'],
      texts: [
        'The {s} support line closes at {a} on Saturdays.',
        'On Saturdays the support line of {s} closes at {b}.',
      ],
      slot: 'name',
      values: [
        ['16:00', '6 pm'],
        ['noon', '14:00'],
      ],
    },
  ],
  decoys: [
    {
      titles: ['Returns', 'Exchanges'],
      texts: [
        'You can return a {s} within {a} of delivery.',
        'You can exchange a {s} within {b} of delivery.',
      ],
      slot: 'product',
      values: [
        ['30 days', '14 days'],
        ['60 days', '20 days'],
        ['ten days', '7 days'],
        ['1 week', '3 weeks'],
      ],
    },
    {
      titles: ['Standard delivery to {s}', 'Express delivery to {s}'],
      texts: ['Standard delivery to {s} costs {a}.', 'Express delivery to {s} costs {b}.'],
      slot: 'place',
      values: [
        ['€5', '€12'],
        ['€4', '€9'],
        ['3.90 EUR', '8.90 EUR'],
        ['$6', '$15'],
      ],
    },
    {
      titles: ['Warranty of the {s}', 'The {s}'],
      texts: ['The {s} has a warranty of {a}.', 'Every {s} comes with a {b} warranty.'],
      slot: 'product',
      values: [
        ['24 months', 'two-year'],
        ['36 months', 'three-year'],
        ['1 year', '12-month'],
        ['five years', '60-month'],
      ],
    },
    {
      titles: ['Price of the {s}', 'Catalogue'],
      texts: ['The {s} costs {a}.', table('Product | Price', '{s} | {b}', 'Spare lid | €4')],
      slot: 'product',
      values: [
        ['€1,299.00', '1.299,00 €'],
        ['1299 EUR', '1 299 €'],
        ['€49.00', '49 euros'],
        ['$ 20', '20.00 dollars'],
      ],
    },
    {
      titles: ['Opening hours of the {s} pool in summer', 'Opening hours of the {s} pool in winter'],
      texts: ['The pool opens at {a}.', 'The pool opens at {b}.'],
      slot: 'place',
      values: [
        ['8:00', '10:00'],
        ['7:00', '9:00'],
        ['6.30 am', '8 am'],
        ['9:00', '11:00'],
      ],
    },
    {
      titles: ['Fees until 2024', 'Fees today'],
      texts: ['Until 31 December 2024 the {s} fee was {a}.', 'The {s} fee is {b}.'],
      slot: 'place',
      values: [
        ['€20', '€25'],
        ['€30', '€33'],
        ['€40', '€45'],
        ['€8', '€9'],
      ],
    },
    {
      titles: ['Plans', 'Plans for teams'],
      texts: [
        table('Plan | Price', '{s} Basic | {a}', '{s} Home | €3'),
        table('Plan | Price', '{s} Team | {b}', '{s} Office | €70'),
      ],
      slot: 'name',
      values: [
        ['€10', '€20'],
        ['€12', '€24'],
        ['€15', '€30'],
        ['€11', '€22'],
      ],
    },
    {
      titles: ['Dogs in {s}', 'Cats in {s}'],
      texts: ['Dogs are allowed in the {s} shop.', 'Cats are not allowed in the {s} shop.'],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Closing of {s}', 'Bus to {s}'],
      texts: ['The {s} museum closes at {a}.', 'The {s} museum café closes at {b}.'],
      slot: 'place',
      values: [
        ['18:00', '17:00'],
        ['19:00', '16:30'],
        ['5 pm', '4 pm'],
        ['20:00', '18:30'],
      ],
    },
    {
      titles: ['Weekdays in {s}', 'Weekends in {s}'],
      texts: ['On weekdays the {s} branch opens at {a}.', 'On Sundays the {s} branch opens at {b}.'],
      slot: 'place',
      values: [
        ['8:00', '11:00'],
        ['9:00', '12:00'],
        ['7:30', '10:00'],
        ['9 am', '10 am'],
      ],
    },
    {
      titles: ['Data sheet {s}', 'Questions about the {s}'],
      texts: [table('Property | Value', 'Width | {a}', 'Depth | 2 m'), 'The height of the {s} is {b}.'],
      slot: 'product',
      values: [
        ['120 cm', '80 cm'],
        ['60 cm', '75 cm'],
        ['90 cm', '40 cm'],
        ['30 cm', '55 cm'],
      ],
    },
    {
      titles: ['Start of the {s} trip', 'The {s} trip'],
      texts: ['The {s} trip starts at {a}.', 'At {b}, the {s} trip starts.'],
      slot: 'place',
      values: [
        ['14:30', '2.30 pm'],
        ['9:00', '9 am'],
        ['12:00', 'noon'],
        ['17:15', '5.15 pm'],
      ],
    },
    {
      titles: ['Version 1 of {s}', 'Version 2 of {s}'],
      texts: ['Version 1 of {s} allows {a} projects.', 'Version 2 of {s} allows {b} projects.'],
      slot: 'name',
      values: [
        ['5', '50'],
        ['10', '100'],
        ['3', '20'],
        ['7', '70'],
      ],
    },
    {
      titles: ['Date of the {s} fair', 'News from the {s} fair'],
      texts: ['The {s} fair begins on {a}.', 'The {s} fair begins on {b}.'],
      slot: 'place',
      values: [
        ['3 May', '3rd of May'],
        ['5 June 2027', 'June 5th, 2027'],
        ['2027-03-04', '4 March'],
        ['31 August', 'August 31'],
      ],
    },
    {
      titles: ['Lieferung', 'Abholung'],
      texts: ['Die Lieferung von {s} kostet {a}.', 'Die Abholung von {s} kostet {b}.'],
      slot: 'name',
      values: [
        ['5 Euro', '3 Euro'],
        ['6 Euro', '2 Euro'],
        ['7,50 Euro', '4 Euro'],
        ['9 Euro', '1 Euro'],
      ],
      language: 'de',
    },
    {
      titles: ['Garantie {s}', 'Über {s}'],
      texts: ['Die Garantie für {s} beträgt {a}.', 'Für {s} gilt eine Garantie von {b}.'],
      slot: 'name',
      values: [
        ['24 Monate', 'zwei Jahren'],
        ['36 Monate', 'drei Jahren'],
        ['ein Jahr', '12 Monaten'],
        ['vier Jahre', '48 Monaten'],
      ],
      language: 'de',
    },
    {
      titles: ['Students', 'Seniors'],
      texts: ['The {s} ticket costs {a} for students.', 'The {s} ticket costs {b} for seniors.'],
      slot: 'place',
      values: [
        ['€5', '€7'],
        ['€6', '€8'],
        ['€9', '€11'],
        ['€4', '€10'],
      ],
    },
    {
      titles: ['First rule of {s}', 'Second rule of {s}'],
      texts: ['The {s} battery charges in {a}.', 'The {s} battery lasts {b}.'],
      slot: 'product',
      values: [
        ['2 hours', '9 hours'],
        ['3 hours', '12 hours'],
        ['90 minutes', '6 hours'],
        ['1 hour', '20 hours'],
      ],
    },
    {
      titles: ['Prices from 1 January 2027', 'Prices in 2026'],
      texts: ['From 1 January 2027 the {s} pass costs {a}.', 'In 2026 the {s} pass costs {b}.'],
      slot: 'place',
      values: [
        ['€60', '€55'],
        ['€70', '€65'],
        ['€80', '€72'],
        ['€90', '€85'],
      ],
    },
    {
      titles: ['Colours', 'Sizes'],
      texts: ['The {s} comes in {a} colours.', 'The {s} comes in {b} sizes.'],
      slot: 'product',
      values: [
        ['4', '3'],
        ['five', '2'],
        ['6', '4'],
        ['seven', '5'],
      ],
    },
    {
      titles: ['Response', 'Resolution'],
      texts: ['{s} support responds within {a}.', '{s} support resolves faults within {b}.'],
      slot: 'name',
      values: [
        ['4 hours', '2 days'],
        ['1 hour', '8 hours'],
        ['one day', 'three days'],
        ['30 minutes', '4 hours'],
      ],
    },
    {
      titles: ['Swimming in {s}', 'Fishing in {s}'],
      texts: ['Swimming is not allowed in the {s} lake.', 'Fishing is allowed in the {s} lake.'],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Breakfast in {s}', 'Dinner in {s}'],
      texts: [
        'Breakfast in our {s} hotel is served until {a}.',
        'Dinner in our {s} hotel is served until {b}.',
      ],
      slot: 'place',
      values: [
        ['10:00', '21:00'],
        ['10:30', '22:00'],
        ['11 am', '9 pm'],
        ['9:30', '20:30'],
      ],
    },
    {
      titles: ['Monthly', 'Yearly'],
      texts: ['Billed monthly, {s} costs {a}.', 'Billed yearly, {s} costs {b}.'],
      slot: 'name',
      values: [
        ['€9', '€90'],
        ['€12', '€120'],
        ['$8', '$80'],
        ['€15', '€150'],
      ],
    },
    {
      titles: ['Discount of {s}', 'Tax in {s}'],
      texts: ['Members of {s} get {a} off.', 'The tax on {s} orders is {b}.'],
      slot: 'name',
      values: [
        ['10%', '19%'],
        ['15%', '7%'],
        ['5 percent', '20 %'],
        ['12 %', '21 %'],
      ],
    },
  ],
  stale: [
    ['Offer for the {s}', 'The offer for the {s} is valid until 31 August 2026.'],
    ['Spring sale', 'Order your {s} by 15 March 2026 and save the postage.'],
    ['Holiday hours {s}', 'Our {s} office is closed from 24 December 2025 to 2 January 2026.'],
    ['Aktion {s}', 'Das Angebot für {s} gilt bis zum 30. Juni 2026.'],
    ['Voucher', 'Vouchers for the {s} can be used until the end of September 2026.'],
  ],
  current: [
    ['Offer for the {s} tour', 'The offer for the {s} tour is valid until 31 August 2027.'],
    ['History of {s}', 'Our {s} office was founded on 3 May 1998.'],
    ['Prices of {s}', 'Since 1 March 2025 the {s} museum is open every day.'],
    ['Looking back at {s}', 'The {s} exhibition ended on 4 April 2025.'],
    ['Aktion in {s}', 'Das Angebot in {s} gilt bis zum 30. Juni 2027.'],
  ],
};
