import { type FactTemplates, table } from './templates.ts';

/** The templates were not looked at while the rules were tuned. */
export const heldOut: FactTemplates = {
  contradictions: [
    {
      titles: ['Swim lessons in {s}', 'Courses for beginners'],
      texts: ['A swim lesson in {s} lasts {a}.', 'Swim lessons in {s} go on for {b}.'],
      slot: 'place',
      values: [
        ['45 minutes', 'one hour'],
        ['30 minutes', '40 minutes'],
      ],
    },
    {
      titles: ['Invoices of {s}', 'Terms of payment'],
      texts: ['Invoices of {s} are due within {a}.', 'Please pay invoices of {s} within {b}.'],
      slot: 'name',
      values: [
        ['14 days', '30 days'],
        ['ten days', 'two weeks'],
      ],
    },
    {
      titles: ['{s}', 'Accessories and weights'],
      texts: [
        table('Specification | Value', 'Noise level | {a}', 'Origin | Sweden'),
        'The noise level of the {s} is {b}.',
      ],
      slot: 'product',
      values: [
        ['38 dB', '45 dB'],
        ['52 dB', '60 dB'],
      ],
    },
    {
      titles: ['Lunch menu', 'Eating in {s}'],
      texts: [
        'The lunch menu in our {s} restaurant costs {a}.',
        'Our restaurant in {s} has a lunch menu for {b}.',
      ],
      slot: 'place',
      values: [
        ['€11.90', '€12.90'],
        ['14 euros', '16 €'],
      ],
    },
    {
      titles: ['Climbing gym {s}', 'When can I come?'],
      texts: [
        'The climbing gym in {s} closes at {a} on weekdays.',
        'On weekdays, the {s} climbing gym is open until {b}.',
      ],
      slot: 'place',
      values: [
        ['22:00', '23:00'],
        ['9 pm', '21:30'],
      ],
    },
    {
      titles: ['Wi-Fi on the {s} train', 'On board'],
      texts: ['Wi-Fi is available on the {s} train.', 'There is no Wi-Fi on the {s} train.'],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['API of {s}', 'Quotas'],
      texts: [
        'The API of {s} accepts {a} requests per minute.',
        table('Product | Requests per minute', '{s} API | {b} requests', 'Sandbox | 10 requests'),
      ],
      slot: 'name',
      values: [
        ['600', '1,000'],
        ['60', '120'],
      ],
    },
    {
      titles: ['Annual meeting of {s}', 'Save the date'],
      texts: ['The annual meeting of {s} takes place on {a}.', 'On {b}, {s} holds its annual meeting.'],
      slot: 'name',
      values: [
        ['17 March 2027', '18 March 2027'],
        ['2027-05-20', '27 May 2027'],
      ],
    },
    {
      titles: ['Early payment', 'Buying from {s}'],
      texts: [
        '{s} grants a discount of {a} for early payment.',
        'For early payment, the discount of {s} is {b}.',
      ],
      slot: 'name',
      values: [
        ['2%', '3 %'],
        ['5 percent', '4%'],
      ],
    },
    {
      titles: ['Passport office {s}', 'Waiting times'],
      texts: ['A new passport takes {a} in {s}.', 'In {s} you wait {b} for a new passport.'],
      slot: 'place',
      values: [
        ['four weeks', 'six weeks'],
        ['10 days', '3 weeks'],
      ],
    },
    {
      titles: ['Playground', 'Living in {s}'],
      texts: ['The estate in {s} has {a} flats.', '{b} flats belong to the {s} estate.'],
      slot: 'place',
      values: [
        ['80', '96'],
        ['240', '250'],
      ],
    },
    {
      titles: ['Film programme', 'Cinema {s}'],
      texts: [
        table('Film | Begins', 'Matinee in {s} | {a}', 'Late show | 23:00'),
        'The matinee in {s} begins at {b}.',
      ],
      slot: 'place',
      values: [
        ['11:00', '11:30'],
        ['10 am', '10.45 am'],
      ],
    },
    {
      titles: ['Using the {s} outdoors', 'Safety'],
      texts: ['The {s} may be used outdoors.', 'The {s} may not be used outdoors.'],
      slot: 'product',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Umtausch bei {s}', 'Bedingungen'],
      texts: [
        'Ein Umtausch ist bei {s} innerhalb von {a} möglich.',
        'Bei {s} gilt für den Umtausch eine Frist von {b}.',
      ],
      slot: 'name',
      values: [
        ['14 Tagen', '30 Tagen'],
        ['einem Monat', 'zwei Wochen'],
      ],
      language: 'de',
    },
    {
      titles: ['Kurtaxe {s}', 'Urlaub in {s}'],
      texts: [
        'Die Kurtaxe in {s} beträgt {a} pro Nacht.',
        'Gäste zahlen in {s} eine Kurtaxe von {b} pro Nacht.',
      ],
      slot: 'place',
      values: [
        ['2,50 Euro', '3 €'],
        ['1,80 €', '2,10 Euro'],
      ],
      language: 'de',
    },
    {
      titles: ['Bibliothek {s}', 'Ausleihe'],
      texts: ['Die Bibliothek in {s} schließt um {a}.', 'In {s} hat die Bibliothek bis {b} geöffnet.'],
      slot: 'place',
      values: [
        ['18 Uhr', '19:00 Uhr'],
        ['20.00 Uhr', '17 Uhr'],
      ],
      language: 'de',
    },
    {
      titles: ['Cool-down', 'The {s} step by step'],
      texts: ['The {s} needs {a} to cool down.', 'Let the {s} cool down for {b}.'],
      slot: 'product',
      values: [
        ['20 minutes', '45 minutes'],
        ['two hours', '60 minutes'],
      ],
    },
    {
      titles: ['Our fleet', 'Vans in {s}'],
      texts: ['Our fleet in {s} consists of {a} vans.', 'In {s} we run a fleet of {b} vans.'],
      slot: 'place',
      values: [
        ['18', '22'],
        ['seven', '11'],
      ],
    },
    {
      titles: ['Roaming with {s}', 'Tariffs'],
      texts: [
        table('Option | {s} | Talk', 'Roaming | included | no', 'Hotspot | yes | yes'),
        table('Tariff | Roaming | Hotspot', '{s} | no | yes', 'Senior | no | no'),
      ],
      slot: 'name',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Skydiving in {s}', 'Who may jump?'],
      texts: ['Jumpers in {s} may weigh up to {a}.', 'The maximum weight for jumpers in {s} is {b}.'],
      slot: 'place',
      values: [
        ['95 kg', '100 kg'],
        ['110 kg', '105 kg'],
      ],
    },
    {
      titles: ['Locker rental', 'Station {s}'],
      texts: ['A locker at {s} station costs {a} a day.', 'At {s} station, a locker is {b} a day.'],
      slot: 'place',
      values: [
        ['€4', '€5'],
        ['CHF 6', '8 CHF'],
      ],
    },
    {
      titles: ['Dark mode in {s}', 'Questions about {s}'],
      texts: ['{s} supports dark mode.', '{s} does not support dark mode.'],
      slot: 'name',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Trails near {s}', 'Hiking map'],
      texts: [
        'The lake trail near {s} is {a} long.',
        table('Trail | Length', 'Lake trail near {s} | {b}', 'Ridge trail | 19 km'),
      ],
      slot: 'place',
      values: [
        ['8 km', '9.5 km'],
        ['12 km', '14,000 m'],
      ],
    },
    {
      titles: ['Probation at {s}', 'Starting work'],
      texts: ['Probation at {s} lasts {a}.', 'At {s}, new colleagues are on probation for {b}.'],
      slot: 'name',
      values: [
        ['six months', 'three months'],
        ['90 days', '4 months'],
      ],
    },
    {
      titles: ['Ice cream in {s}', 'Season'],
      texts: ['The ice cream stall in {s} opens on {a}.', 'In {s}, the ice cream stall opens on {b}.'],
      slot: 'place',
      values: [
        ['1 April', '15 April'],
        ['March 20', '27 March'],
      ],
    },
  ],
  decoys: [
    {
      titles: ['Adults in {s}', 'Families in {s}'],
      texts: ['An adult ticket for {s} castle costs {a}.', 'A family ticket for {s} castle costs {b}.'],
      slot: 'place',
      values: [
        ['€9', '€22'],
        ['€8', '€20'],
        ['£7', '£18'],
        ['€12', '€30'],
      ],
    },
    {
      titles: ['Pickup', 'Drop-off'],
      texts: ['Pickup of rental cars in {s} starts at {a}.', 'Drop-off of rental cars in {s} starts at {b}.'],
      slot: 'place',
      values: [
        ['8:00', '6:00'],
        ['9:00', '7:00'],
        ['10 am', '8 am'],
        ['7:30', '5:30'],
      ],
    },
    {
      titles: ['Training', 'Learning at {s}'],
      texts: ['The training at {s} takes {a}.', 'Plan {b} for the training at {s}.'],
      slot: 'name',
      values: [
        ['three weeks', '21 days'],
        ['24 months', 'two years'],
        ['36 hours', '1.5 days'],
        ['90 minutes', '1.5 hours'],
      ],
    },
    {
      titles: ['Sponsors', 'Income'],
      texts: [
        'Sponsors gave {a} to the {s} club.',
        table('Club | From sponsors', '{s} | {b}', 'Juniors | €300'),
      ],
      slot: 'place',
      values: [
        ['€15,000', '15.000 €'],
        ['€2,400.00', '2400 EUR'],
        ['1 250 €', '€1,250'],
        ['$900', '900 dollars'],
      ],
    },
    {
      titles: ['{s} tower in high season', '{s} tower in low season'],
      texts: ['The lift runs until {a}.', 'The lift runs until {b}.'],
      slot: 'place',
      values: [
        ['22:00', '18:00'],
        ['23:00', '19:00'],
        ['9 pm', '5 pm'],
        ['21:30', '17:30'],
      ],
    },
    {
      titles: ['Before the move', 'Address'],
      texts: ['Until 2023 the {s} archive had {a} rooms.', 'The {s} archive has {b} rooms.'],
      slot: 'place',
      values: [
        ['9', '14'],
        ['6', '8'],
        ['12', '20'],
        ['5', '7'],
      ],
    },
    {
      titles: ['Drills', 'Saws'],
      texts: [
        table('Tool | Power', '{s} drill | {a}', '{s} driver | 300 W'),
        table('Tool | Power', '{s} saw | {b}', '{s} sander | 450 W'),
      ],
      slot: 'name',
      values: [
        ['700 W', '1400 W'],
        ['650 W', '1.2 kW'],
        ['800 W', '1500 W'],
        ['550 W', '1100 W'],
      ],
    },
    {
      titles: ['Strollers', 'Scooters'],
      texts: ['Strollers are allowed in the {s} gallery.', 'Scooters are not allowed in the {s} gallery.'],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Main stage', 'Side stage'],
      texts: ['Music on the main stage in {s} ends at {a}.', 'Music on the side stage in {s} ends at {b}.'],
      slot: 'place',
      values: [
        ['23:00', '1:00'],
        ['22:00', '0:30'],
        ['11 pm', '2 am'],
        ['22:30', '23:30'],
      ],
    },
    {
      titles: ['Spring term', 'Autumn term'],
      texts: [
        'In the spring term, {s} school begins on {a}.',
        'In the autumn term, {s} school begins on {b}.',
      ],
      slot: 'place',
      values: [
        ['1 March', '3 September'],
        ['March 15', 'September 9'],
        ['4 April', '10 October'],
        ['2 May', '1 October'],
      ],
    },
    {
      titles: ['{s}: measurements', 'Fitting the {s}'],
      texts: [
        table('Item | Size', 'Inner diameter | {a}', 'Cover | Glass'),
        'The outer diameter of the {s} is {b}.',
      ],
      slot: 'product',
      values: [
        ['18 cm', '20 cm'],
        ['24 cm', '27 cm'],
        ['16 cm', '19 cm'],
        ['30 cm', '34 cm'],
      ],
    },
    {
      titles: ['Sunset cruise', 'Harbour {s}'],
      texts: ['The sunset cruise in {s} departs at {a}.', 'At {b} the sunset cruise in {s} departs.'],
      slot: 'place',
      values: [
        ['19:15', '7.15 pm'],
        ['20:00', '8 p.m.'],
        ['18:30', '6:30 pm'],
        ['21:45', '9.45 pm'],
      ],
    },
    {
      titles: ['Release 5 of {s}', 'Release 6 of {s}'],
      texts: ['Release 5 of {s} opens {a} file types.', 'Release 6 of {s} opens {b} file types.'],
      slot: 'name',
      values: [
        ['14', '19'],
        ['8', '16'],
        ['20', '31'],
        ['5', '12'],
      ],
    },
    {
      titles: ['Regatta', 'Sport in {s}'],
      texts: ['The {s} regatta starts on {a}.', 'On {b} the {s} regatta starts.'],
      slot: 'place',
      values: [
        ['24 June 2027', '24.06.2027'],
        ['May 30', '30 May'],
        ['2027-07-01', 'July 1st, 2027'],
        ['3. August', '3 August'],
      ],
    },
    {
      titles: ['Hunde', 'Katzen'],
      texts: ['Die Pension {s} nimmt für Hunde {a} am Tag.', 'Die Pension {s} nimmt für Katzen {b} am Tag.'],
      slot: 'place',
      values: [
        ['20 Euro', '14 Euro'],
        ['25 Euro', '15 Euro'],
        ['18,50 €', '12 €'],
        ['30 €', '17 €'],
      ],
      language: 'de',
    },
    {
      titles: ['Reparatur', 'Werkstatt {s}'],
      texts: ['Eine Reparatur dauert bei {s} {a}.', 'Bei {s} dauert eine Reparatur {b}.'],
      slot: 'name',
      values: [
        ['14 Tage', 'zwei Wochen'],
        ['48 Stunden', 'zwei Tage'],
        ['einen Monat', 'vier Wochen'],
        ['90 Minuten', '1,5 Stunden'],
      ],
      language: 'de',
    },
    {
      titles: ['With a reservation', 'Without a reservation'],
      texts: [
        'With a reservation, a seat on the {s} bus costs {a}.',
        'Without a reservation, a seat on the {s} bus costs {b}.',
      ],
      slot: 'place',
      values: [
        ['€10', '€14'],
        ['€9', '€12'],
        ['€15', '€21'],
        ['€11', '€16'],
      ],
    },
    {
      titles: ['Fast programme', 'Eco programme'],
      texts: ['The fast programme of the {s} takes {a}.', 'The eco programme of the {s} takes {b}.'],
      slot: 'product',
      values: [
        ['30 minutes', '3 hours'],
        ['25 minutes', '2 hours'],
        ['40 minutes', '150 minutes'],
        ['1 hour', '4 hours'],
      ],
    },
    {
      titles: ['Rents from 2027', 'Rents until 2026'],
      texts: [
        'From 1 January 2027 a garage in {s} costs {a}.',
        'Until 31 December 2026 a garage in {s} costs {b}.',
      ],
      slot: 'place',
      values: [
        ['€90', '€80'],
        ['€75', '€70'],
        ['€110', '€100'],
        ['€65', '€60'],
      ],
    },
    {
      titles: ['Bedrooms', 'Bathrooms'],
      texts: ['The villa in {s} has {a} bedrooms.', 'The villa in {s} has {b} bathrooms.'],
      slot: 'place',
      values: [
        ['6', '3'],
        ['five', 'two'],
        ['8', '4'],
        ['4', '2'],
      ],
    },
    {
      titles: ['Email', 'Phone'],
      texts: ['{s} answers emails within {a}.', '{s} answers calls within {b}.'],
      slot: 'name',
      values: [
        ['two days', '5 minutes'],
        ['24 hours', '2 minutes'],
        ['8 hours', '30 seconds'],
        ['one day', '10 minutes'],
      ],
    },
    {
      titles: ['Surfing in {s}', 'Diving in {s}'],
      texts: ['Surfing is permitted in the {s} bay.', 'Diving is prohibited in the {s} bay.'],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Half a day', 'A whole day'],
      texts: ['A half-day trip from {s} costs {a}.', 'A full-day trip from {s} costs {b}.'],
      slot: 'place',
      values: [
        ['€40', '€70'],
        ['€35', '€65'],
        ['€50', '€85'],
        ['$45', '$80'],
      ],
    },
    {
      titles: ['Basement', 'First floor'],
      texts: [
        'The basement of {s} has a ceiling height of {a}.',
        'The first floor of {s} has a ceiling height of {b}.',
      ],
      slot: 'place',
      values: [
        ['2.1 m', '2.8 m'],
        ['2.2 m', '3.1 m'],
        ['200 cm', '260 cm'],
        ['2.3 m', '2.9 m'],
      ],
    },
    {
      titles: ['Women', 'Men'],
      texts: ['{a} women work at {s}.', '{b} men work at {s}.'],
      slot: 'name',
      values: [
        ['40', '35'],
        ['120', '140'],
        ['15', '12'],
        ['66', '58'],
      ],
    },
  ],
  stale: [
    ['Raffle of {s}', 'Tickets for the {s} raffle are sold until 20 September 2026.'],
    ['Closed for works', 'The {s} pool stays closed from 5 January 2026 to 30 May 2026.'],
    ['Apply now', 'Apply for the {s} scholarship before 31 July 2026.'],
    ['Sonderaktion {s}', 'Bis 30.09.2026 bekommen Sie in {s} eine Tasche geschenkt.'],
    ['Trial offer', 'The trial offer in {s} ends on 1 August 2026.'],
  ],
  current: [
    ['Raffle in {s}', 'Tickets for the {s} tombola are sold until 20 September 2027.'],
    ['Portrait of {s}', 'In 1954 the {s} brewery hired its first driver.'],
    ['By-laws of {s}', 'The by-laws of the {s} harbour have been in force since 2 February 2022.'],
    ['Geschichte {s}', 'Vom 3. Mai 1945 bis 1949 war das Rathaus in {s} ein Lazarett.'],
    ['Permit of {s}', 'The permit of the {s} market runs until 31 March 2028.'],
  ],
};
