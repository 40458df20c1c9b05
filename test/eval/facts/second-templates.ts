import { type FactTemplates, table } from './templates.ts';

/** Written before anything was measured. After the first measurement, the rules were tuned on these too. */
export const second: FactTemplates = {
  contradictions: [
    {
      titles: ['Trial of {s}', 'Signing up'],
      texts: ['The free trial of {s} lasts {a}.', 'You can try {s} free of charge for {b} with the trial.'],
      slot: 'name',
      values: [
        ['14 days', '30 days'],
        ['one month', 'two weeks'],
      ],
    },
    {
      titles: ['Check-in at {s}', 'Your stay in {s}'],
      texts: ['Check-in at the {s} guesthouse is from {a}.', 'The {s} guesthouse offers check-in from {b}.'],
      slot: 'place',
      values: [
        ['15:00', '4 pm'],
        ['2 pm', '13:00'],
      ],
    },
    {
      titles: ['The {s} in detail', 'Which model is right for me?'],
      texts: [
        table('Feature | Detail', 'Tank volume | {a}', 'Material | Steel'),
        'The {s} has a tank volume of {b}.',
      ],
      slot: 'product',
      values: [
        ['1.5 l', '1.8 l'],
        ['40 l', '35 l'],
      ],
    },
    {
      titles: ['Cancelling a booking in {s}', 'Booking conditions'],
      texts: [
        'Bookings in {s} can be cancelled up to {a} before arrival.',
        'Cancel your {s} booking at least {b} before arrival.',
      ],
      slot: 'place',
      values: [
        ['48 hours', 'seven days'],
        ['3 days', '24 hours'],
      ],
    },
    {
      titles: ['Adult tickets', 'Visiting the {s} zoo'],
      texts: ['An adult ticket for the {s} zoo is {a}.', 'At the {s} zoo, adult tickets cost {b}.'],
      slot: 'place',
      values: [
        ['€18', '21 euros'],
        ['£9.50', '£11'],
      ],
    },
    {
      titles: ['Smoking', 'Our {s} rooms'],
      texts: ['Smoking is forbidden on the terrace in {s}.', 'Smoking is allowed on the {s} terrace.'],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Uploads to {s}', 'Limits'],
      texts: [
        'Files uploaded to {s} may have up to {a}.',
        table('Service | File upload | Retention', '{s} | {b} | 30 days', 'Archive | 2 GB | 1 year'),
      ],
      slot: 'name',
      values: [
        ['25 MB', '100 MB'],
        ['2 GB', '5 GB'],
      ],
    },
    {
      titles: ['Applications to {s}', 'Admission dates'],
      texts: [
        'The application deadline of the {s} school is {a}.',
        'The {s} school has its application deadline on {b}.',
      ],
      slot: 'place',
      values: [
        ['15 January 2027', '31.01.2027'],
        ['2027-06-30', 'July 15, 2027'],
      ],
    },
    {
      titles: ['Commission of {s}', 'Selling'],
      texts: ['{s} keeps a commission of {a} on each sale.', 'The commission on a sale at {s} is {b}.'],
      slot: 'name',
      values: [
        ['12%', '15%'],
        ['8 percent', '10 %'],
      ],
    },
    {
      titles: ['Repairs of the {s}', 'Workshop'],
      texts: ['A repair of the {s} takes {a}.', 'Our workshop needs {b} for the repair of a {s}.'],
      slot: 'product',
      values: [
        ['two weeks', '30 working days'],
        ['5 days', 'three weeks'],
      ],
    },
    {
      titles: ['Lockers in {s}', 'Facilities'],
      texts: ['The {s} gym has {a} lockers.', 'There are {b} lockers in the gym in {s}.'],
      slot: 'place',
      values: [
        ['200', '150'],
        ['eighty', '64'],
      ],
    },
    {
      titles: ['Ferry to {s}', 'Departures'],
      texts: [
        'The last ferry to {s} leaves at {a}.',
        table('Connection | Departure', 'Last ferry to {s} | {b}', 'Water taxi | 23:15'),
      ],
      slot: 'place',
      values: [
        ['21:45', '22:15'],
        ['8 pm', '19:30'],
      ],
    },
    {
      titles: ['Is the {s} waterproof?', 'Outdoor use'],
      texts: ['The {s} is waterproof.', 'Please note that the {s} is not waterproof.'],
      slot: 'product',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Mitgliedschaft {s}', 'Beiträge'],
      texts: ['Der Jahresbeitrag in {s} beträgt {a}.', 'In {s} liegt der Jahresbeitrag bei {b}.'],
      slot: 'place',
      values: [
        ['60 Euro', '72 €'],
        ['1.050 Euro', '1 100 Euro'],
      ],
      language: 'de',
    },
    {
      titles: ['Rückgabe von {s}', 'Fragen zur Bestellung'],
      texts: [
        'Die Rückgabe von {s} ist innerhalb von {a} möglich.',
        '{s} nehmen wir bis zu {b} nach dem Kauf in der Rückgabe an.',
      ],
      slot: 'name',
      values: [
        ['30 Tagen', '14 Tage'],
        ['einem Monat', '10 Tage'],
      ],
      language: 'de',
    },
    {
      titles: ['Sprechstunde in {s}', 'Praxis {s}'],
      texts: [
        'Die Sprechstunde in {s} beginnt um {a}.',
        'In der Praxis {s} beginnt die Sprechstunde um {b}.',
      ],
      slot: 'place',
      values: [
        ['8 Uhr', '8:30 Uhr'],
        ['14.00 Uhr', '15 Uhr'],
      ],
      language: 'de',
    },
    {
      titles: ['Boiling water with the {s}', 'Test results'],
      texts: [
        'The {s} boils a litre of water in {a}.',
        'In our test, the {s} needed {b} to boil a litre of water.',
      ],
      slot: 'product',
      values: [
        ['3 minutes', '5 minutes'],
        ['150 seconds', 'four minutes'],
      ],
    },
    {
      titles: ['Nurses in {s}', 'The {s} clinic'],
      texts: ['{a} nurses look after patients in the {s} clinic.', 'The {s} clinic employs {b} nurses.'],
      slot: 'place',
      values: [
        ['60', '75'],
        ['nineteen', '24'],
      ],
    },
    {
      titles: ['Offline mode', 'What {s} can do'],
      texts: [
        table('Function | {s} | Lite', 'Offline mode | included | –', 'Sync | included | included'),
        table('Edition | Offline mode | Sync', '{s} | no | yes', 'Mini | no | no'),
      ],
      slot: 'name',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Group size', 'Climbing in {s}'],
      texts: [
        'The largest group for climbing in {s} is {a} people.',
        'Climbing groups in {s} have {b} people at most.',
      ],
      slot: 'place',
      values: [
        ['8', '12'],
        ['ten', 'six'],
      ],
    },
    {
      titles: ['Deposit in {s}', 'Renting a bike'],
      texts: [
        'For a rental bike in {s} we ask for a deposit of {a}.',
        'The deposit for {s} rental bikes is {b}.',
      ],
      slot: 'place',
      values: [
        ['€50', '€80'],
        ['100 CHF', 'CHF 150'],
      ],
    },
    {
      titles: ['Gift wrapping at {s}', 'Ordering presents'],
      texts: ['Gift wrapping is available at {s}.', 'At {s}, gift wrapping is not available.'],
      slot: 'name',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Ceiling height in {s}', 'Warehouses'],
      texts: [
        'The warehouse in {s} has a floor area of {a} m.',
        table('Warehouse | Floor area', '{s} | {b} m', 'North | 900 m'),
      ],
      slot: 'place',
      values: [
        ['4,500', '5,200'],
        ['12.000', '10,500'],
      ],
    },
    {
      titles: ['Leave at {s}', 'Working for us'],
      texts: ['Employees of {s} have {a} of paid leave.', 'Paid leave for {s} employees is {b} a year.'],
      slot: 'name',
      values: [
        ['30 days', '25 days'],
        ['four weeks', '35 days'],
      ],
    },
    {
      titles: ['Hotline', 'Reaching {s} on Sundays'],
      texts: [
        'On Sundays the {s} hotline is staffed until {a}.',
        'The hotline of {s} is staffed until {b} on Sundays.',
      ],
      slot: 'name',
      values: [
        ['13:00', '3 pm'],
        ['6 pm', '20:00'],
      ],
    },
  ],
  decoys: [
    {
      titles: ['Check-in', 'Check-out'],
      texts: ['Check-in in our {s} lodge is at {a}.', 'Check-out in our {s} lodge is at {b}.'],
      slot: 'place',
      values: [
        ['15:00', '11:00'],
        ['16:00', '10:00'],
        ['2 pm', '10 am'],
        ['14:30', '12:00'],
      ],
    },
    {
      titles: ['Small parcels to {s}', 'Large parcels to {s}'],
      texts: ['A small parcel to {s} costs {a}.', 'A large parcel to {s} costs {b}.'],
      slot: 'place',
      values: [
        ['€4', '€11'],
        ['€5', '€14'],
        ['£3.20', '£8.20'],
        ['$7', '$19'],
      ],
    },
    {
      titles: ['Trial period of {s}', 'Getting started with {s}'],
      texts: ['The trial of {s} lasts {a}.', 'You have {b} for your {s} trial.'],
      slot: 'name',
      values: [
        ['2 weeks', '14 days'],
        ['one week', 'seven days'],
        ['48 hours', 'two days'],
        ['30 days', '30 days'],
      ],
    },
    {
      titles: ['Rent in {s}', 'Office list'],
      texts: ['The rent of the {s} office is {a}.', table('Office | Rent', '{s} | {b}', 'Depot | €90')],
      slot: 'place',
      values: [
        ['€2,450.00', '2.450 €'],
        ['EUR 980', '980,00 €'],
        ['3 100 €', '€3,100'],
        ['€1,050', '1050 euros'],
      ],
    },
    {
      titles: ['{s} on school days', '{s} in the holidays'],
      texts: ['The ice rink closes at {a}.', 'The ice rink closes at {b}.'],
      slot: 'place',
      values: [
        ['20:00', '22:00'],
        ['19:00', '21:30'],
        ['6 pm', '9 pm'],
        ['18:30', '20:30'],
      ],
    },
    {
      titles: ['Wages before July', 'Wages'],
      texts: ['Until 30 June 2025 the hourly wage at {s} was {a}.', 'The hourly wage at {s} is {b}.'],
      slot: 'name',
      values: [
        ['€13', '€14'],
        ['€15', '€16.50'],
        ['$17', '$18'],
        ['£11', '£12.20'],
      ],
    },
    {
      titles: ['Phones', 'Tablets'],
      texts: [
        table('Device | Memory', '{s} phone | {a}', '{s} watch | 4 GB'),
        table('Device | Memory', '{s} tablet | {b}', '{s} reader | 8 GB'),
      ],
      slot: 'name',
      values: [
        ['64 GB', '128 GB'],
        ['32 GB', '256 GB'],
        ['128 GB', '512 GB'],
        ['16 GB', '64 GB'],
      ],
    },
    {
      titles: ['Bicycles on the {s} train', 'Surfboards on the {s} train'],
      texts: ['Bicycles are accepted on the {s} train.', 'Surfboards are not accepted on the {s} train.'],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Swimming in {s}', 'Sauna in {s}'],
      texts: ['The pool in {s} is {a} long.', 'The children’s pool in {s} is {b} long.'],
      slot: 'place',
      values: [
        ['50 m', '15 m'],
        ['25 m', '8 m'],
        ['33 m', '12 m'],
        ['40 m', '10 m'],
      ],
    },
    {
      titles: ['Weekday service in {s}', 'Saturday service in {s}'],
      texts: ['On Mondays the {s} clinic closes at {a}.', 'On Saturdays the {s} clinic closes at {b}.'],
      slot: 'place',
      values: [
        ['18:00', '13:00'],
        ['19:00', '12:00'],
        ['5 pm', '1 pm'],
        ['20:00', '14:00'],
      ],
    },
    {
      titles: ['{s}: technical data', 'Ask us about the {s}'],
      texts: [
        table('Property | Value', 'Cable length | {a}', 'Power | 900 W'),
        'The hose length of the {s} is {b}.',
      ],
      slot: 'product',
      values: [
        ['2 m', '5 m'],
        ['3 m', '8 m'],
        ['1.5 m', '4 m'],
        ['6 m', '10 m'],
      ],
    },
    {
      titles: ['Concert in {s}', 'Evenings in {s}'],
      texts: ['Doors of the {s} theatre open at {a}.', 'The {s} theatre opens its doors at {b}.'],
      slot: 'place',
      values: [
        ['19:30', '7.30 pm'],
        ['18:00', '6 p.m.'],
        ['20:15', '8:15 pm'],
        ['11:00', '11 am'],
      ],
    },
    {
      titles: ['{s} 3', '{s} 4'],
      texts: ['In version 3, {s} exports {a} formats.', 'In version 4, {s} exports {b} formats.'],
      slot: 'name',
      values: [
        ['6', '9'],
        ['4', '11'],
        ['2', '5'],
        ['8', '12'],
      ],
    },
    {
      titles: ['Market in {s}', 'Calendar of {s}'],
      texts: ['The {s} market takes place on {a}.', 'On {b}, the {s} market takes place.'],
      slot: 'place',
      values: [
        ['12 July 2027', '12.07.2027'],
        ['1 May', '1st of May'],
        ['October 3', '3 October'],
        ['2027-09-09', 'September 9th, 2027'],
      ],
    },
    {
      titles: ['Miete', 'Kauf'],
      texts: ['Die Miete von {s} kostet {a}.', 'Die Wartung von {s} kostet {b}.'],
      slot: 'name',
      values: [
        ['40 Euro', '15 Euro'],
        ['50 Euro', '18 Euro'],
        ['65 Euro', '20 Euro'],
        ['35 Euro', '12 Euro'],
      ],
      language: 'de',
    },
    {
      titles: ['Dauer {s}', 'Kurs in {s}'],
      texts: ['Der Kurs in {s} dauert {a}.', 'Die Dauer des Kurses in {s}: {b}'],
      slot: 'place',
      values: [
        ['14 Tage', 'zwei Wochen'],
        ['drei Monate', '3 Monate'],
        ['90 Minuten', '1,5 Stunden'],
        ['48 Stunden', 'zwei Tage'],
      ],
      language: 'de',
    },
    {
      titles: ['Children', 'Adults'],
      texts: ['Entry to the {s} castle is {a} for children.', 'Entry to the {s} castle is {b} for adults.'],
      slot: 'place',
      values: [
        ['€4', '€9'],
        ['€3', '€8'],
        ['€5', '€12'],
        ['€2', '€7'],
      ],
    },
    {
      titles: ['Heating with the {s}', 'Cooling with the {s}'],
      texts: ['The {s} heats up in {a}.', 'The {s} cools down in {b}.'],
      slot: 'product',
      values: [
        ['5 minutes', '20 minutes'],
        ['3 minutes', '15 minutes'],
        ['90 seconds', '10 minutes'],
        ['8 minutes', '1 hour'],
      ],
    },
    {
      titles: ['Tariff 2027', 'Tariff 2026'],
      texts: ['From 1 April 2027 the {s} garage costs {a}.', 'Until 31 March 2027 the {s} garage costs {b}.'],
      slot: 'place',
      values: [
        ['€85', '€80'],
        ['€95', '€88'],
        ['€70', '€66'],
        ['€120', '€110'],
      ],
    },
    {
      titles: ['Shelves', 'Drawers'],
      texts: ['The {s} has {a} shelves.', 'The {s} has {b} drawers.'],
      slot: 'product',
      values: [
        ['4', '2'],
        ['six', '3'],
        ['5', '1'],
        ['8', '6'],
      ],
    },
    {
      titles: ['Backups of {s}', 'Logs of {s}'],
      texts: ['{s} keeps backups for {a}.', '{s} keeps logs for {b}.'],
      slot: 'name',
      values: [
        ['30 days', '7 days'],
        ['90 days', '14 days'],
        ['one year', '6 months'],
        ['60 days', '10 days'],
      ],
    },
    {
      titles: ['Photos in the {s} museum', 'Videos in the {s} museum'],
      texts: ['Filming is not permitted in the {s} museum.', 'Drawing is permitted in the {s} museum.'],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['First shift in {s}', 'Second shift in {s}'],
      texts: ['The early shift in {s} ends at {a}.', 'The late shift in {s} ends at {b}.'],
      slot: 'place',
      values: [
        ['14:00', '22:00'],
        ['13:30', '21:30'],
        ['2 pm', '10 pm'],
        ['12:00', '20:00'],
      ],
    },
    {
      titles: ['Per seat', 'Per server'],
      texts: ['A seat of {s} costs {a}.', 'A server of {s} costs {b}.'],
      slot: 'name',
      values: [
        ['€9', '€190'],
        ['€12', '€240'],
        ['$8', '$210'],
        ['€15', '€300'],
      ],
    },
    {
      titles: ['Saving with {s}', 'Interest of {s}'],
      texts: ['The savings account of {s} pays {a} interest.', 'The credit of {s} costs {b} interest.'],
      slot: 'name',
      values: [
        ['2%', '7%'],
        ['1.5 %', '6.9 %'],
        ['3 percent', '8 percent'],
        ['2,25 %', '9 %'],
      ],
    },
  ],
  stale: [
    ['Lottery of {s}', 'Send your entry for the {s} lottery before 1 October 2026.'],
    ['Roadworks near {s}', 'The road to our {s} branch is blocked from 3 to 28 February 2026.'],
    ['Early booking', 'Early bird tickets for {s} are on sale until 30 April 2026.'],
    ['Baustelle {s}', 'Der Eingang in {s} ist bis 15. Oktober 2026 gesperrt.'],
    ['Survey', 'Our survey about {s} runs through 2025-12-31.'],
  ],
  current: [
    ['Lottery in {s}', 'Send your entry for the {s} draw before 1 October 2027.'],
    ['The story of {s}', 'On 12 June 2003 the {s} mill burned down.'],
    ['Rules of {s}', 'These rules for the {s} allotments apply since 1 July 2024.'],
    ['Sommerpause {s}', 'Der Eingang in {s} ist bis 15. Oktober 2027 gesperrt.'],
    ['Certificate of {s}', 'The certificate of the {s} lab is valid through December 2028.'],
  ],
};
