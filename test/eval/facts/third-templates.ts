import { type FactTemplates, table } from './templates.ts';

/** Written after the second ones had been looked at. After their first measurement, the rules were tuned on these too. */
export const third: FactTemplates = {
  contradictions: [
    {
      titles: ['Joining {s}', 'Fees and payments'],
      texts: ['Joining the {s} choir costs {a} a month.', 'Singers of the {s} choir pay {b} a month.'],
      slot: 'place',
      values: [
        ['€25', '€30'],
        ['18 euros', '€22.50'],
      ],
    },
    {
      titles: ['Delivery times', 'Your order from {s}'],
      texts: ['Orders from {s} are delivered within {a}.', 'Delivery of {s} orders takes {b}.'],
      slot: 'name',
      values: [
        ['3 working days', '5 business days'],
        ['two days', '4 days'],
      ],
    },
    {
      titles: ['The {s} explained', 'Technical overview'],
      texts: [
        table('Item | Details', 'Maximum load | {a}', 'Finish | Matt'),
        'The {s} carries a maximum load of {b}.',
      ],
      slot: 'product',
      values: [
        ['120 kg', '100 kg'],
        ['8 kg', '9.5 kg'],
      ],
    },
    {
      titles: ['Nightly quiet in {s}', 'Camping rules'],
      texts: [
        'Quiet hours on the {s} campsite start at {a}.',
        'On the campsite in {s}, quiet hours begin at {b}.',
      ],
      slot: 'place',
      values: [
        ['22:00', '11 pm'],
        ['21:30', '10.30 pm'],
      ],
    },
    {
      titles: ['Interest', 'Credit by {s}'],
      texts: ['A credit by {s} bears interest of {a}.', 'The interest on credit by {s} is {b}.'],
      slot: 'name',
      values: [
        ['4.5%', '5.2 %'],
        ['6 percent', '7%'],
      ],
    },
    {
      titles: ['Pets', 'Holiday flat {s}'],
      texts: [
        'Pets are welcome in the {s} holiday flat.',
        'Pets are not welcome in the holiday flat in {s}.',
      ],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Mailbox size', 'Editions'],
      texts: [
        'A mailbox of {s} holds up to {a}.',
        table('Product | Mailbox | Aliases', '{s} | {b} | 10', 'Tiny | 1 GB | 2'),
      ],
      slot: 'name',
      values: [
        ['15 GB', '25 GB'],
        ['500 MB', '2 GB'],
      ],
    },
    {
      titles: ['Summer camp in {s}', 'Dates for parents'],
      texts: ['The summer camp in {s} starts on {a}.', 'The {s} summer camp begins on {b}.'],
      slot: 'place',
      values: [
        ['5 July 2027', '12 July 2027'],
        ['2027-08-02', 'August 9, 2027'],
      ],
    },
    {
      titles: ['Learning with {s}', 'Certificates'],
      texts: [
        'To pass the {s} exam you need {a} of the points.',
        'The {s} exam is passed with {b} of the points.',
      ],
      slot: 'name',
      values: [
        ['60%', '70 %'],
        ['half', '65%'],
      ],
    },
    {
      titles: ['Vaccination in {s}', 'Doctors'],
      texts: [
        'The {s} practice gives flu vaccinations until {a} on Fridays.',
        'On Fridays the practice in {s} vaccinates until {b}.',
      ],
      slot: 'place',
      values: [
        ['12:00', '13:30'],
        ['4 pm', '5 pm'],
      ],
    },
    {
      titles: ['Bikes in {s}', 'Sharing stations'],
      texts: ['There are {a} bikes at the {s} station.', 'The {s} station has {b} bikes.'],
      slot: 'place',
      values: [
        ['30', '45'],
        ['twelve', '18'],
      ],
    },
    {
      titles: ['Classes', 'Yoga in {s}'],
      texts: [table('Class | Time', 'Yoga in {s} | {a}', 'Boxing | 20:00'), 'Yoga in {s} starts at {b}.'],
      slot: 'place',
      values: [
        ['18:00', '18:30'],
        ['7 am', '8 am'],
      ],
    },
    {
      titles: ['Freezing', 'The {s} in the kitchen'],
      texts: ['You can put the {s} in the freezer.', 'The {s} cannot be put in the freezer.'],
      slot: 'product',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Kündigung bei {s}', 'Verträge'],
      texts: [
        'Die Kündigungsfrist bei {s} beträgt {a}.',
        'Verträge mit {s} haben eine Kündigungsfrist von {b}.',
      ],
      slot: 'name',
      values: [
        ['drei Monate', '4 Wochen'],
        ['14 Tage', 'einem Monat'],
      ],
      language: 'de',
    },
    {
      titles: ['Eintritt in {s}', 'Museum {s}'],
      texts: [
        'Der Eintritt in das Museum {s} kostet {a}.',
        'Für den Eintritt in das Museum {s} zahlen Sie {b}.',
      ],
      slot: 'place',
      values: [
        ['8 Euro', '9,50 €'],
        ['12,00 €', '14 Euro'],
      ],
      language: 'de',
    },
    {
      titles: ['Parken in {s}', 'Anfahrt'],
      texts: ['Das Parkhaus in {s} schließt um {a}.', 'In {s} schließt das Parkhaus um {b}.'],
      slot: 'place',
      values: [
        ['22 Uhr', '23:00 Uhr'],
        ['20.30 Uhr', '21 Uhr'],
      ],
      language: 'de',
    },
    {
      titles: ['Charging the {s}', 'Tips'],
      texts: ['Charging the {s} takes {a}.', 'The {s} is fully charged after {b}.'],
      slot: 'product',
      values: [
        ['4 hours', '6 hours'],
        ['45 minutes', 'two hours'],
      ],
    },
    {
      titles: ['Volunteers', 'Helping in {s}'],
      texts: ['{a} volunteers help in the {s} garden.', 'In the {s} garden, {b} volunteers are at work.'],
      slot: 'place',
      values: [
        ['50', '70'],
        ['sixteen', '20'],
      ],
    },
    {
      titles: ['Single sign-on', 'Compare {s}'],
      texts: [
        table('Option | {s} | Free', 'Single sign-on | yes | no', 'Webhooks | yes | no'),
        table('Edition | Single sign-on | Webhooks', '{s} | no | yes', 'Nano | no | no'),
      ],
      slot: 'name',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Renting a boat in {s}', 'Lake rules'],
      texts: ['You must be {a} old to rent a boat in {s}.', 'To rent a {s} boat you must be {b} old.'],
      slot: 'place',
      values: [
        ['16 years', '18 years'],
        ['21 years', 'eighteen years'],
      ],
    },
    {
      titles: ['Fines in {s}', 'Public transport'],
      texts: [
        'Riding the {s} tram without a ticket costs {a}.',
        'If you ride the {s} tram without a ticket, you pay {b}.',
      ],
      slot: 'place',
      values: [
        ['€60', '€80'],
        ['40 CHF', 'CHF 50'],
      ],
    },
    {
      titles: ['Invoices from {s}', 'Ways to pay'],
      texts: ['Payment by invoice is possible at {s}.', 'At {s}, payment by invoice is not possible.'],
      slot: 'name',
      values: [
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Rooms in {s}', 'Conference hotel'],
      texts: ['The {s} hotel has {a} rooms.', table('Hotel | Rooms', '{s} | {b} rooms', 'Annex | 12 rooms')],
      slot: 'place',
      values: [
        ['210', '195'],
        ['1,040', '1.100'],
      ],
    },
    {
      titles: ['Guarantee by {s}', 'Small print'],
      texts: ['{s} guarantees its tools for {a}.', 'The guarantee of {s} for tools is {b}.'],
      slot: 'name',
      values: [
        ['ten years', '5 years'],
        ['36 months', 'two years'],
      ],
    },
    {
      titles: ['Mornings in {s}', 'Bakery'],
      texts: ['The {s} bakery opens at {a} on Sundays.', 'On Sundays, the bakery in {s} opens at {b}.'],
      slot: 'place',
      values: [
        ['7:00', '8:00'],
        ['6.30 am', '7.30 am'],
      ],
    },
  ],
  decoys: [
    {
      titles: ['Deposits', 'Fees'],
      texts: ['The {s} library card needs a deposit of {a}.', 'The {s} library card has a fee of {b}.'],
      slot: 'place',
      values: [
        ['€20', '€5'],
        ['€30', '€6'],
        ['€15', '€4'],
        ['€25', '€8'],
      ],
    },
    {
      titles: ['Letters to {s}', 'Telegrams to {s}'],
      texts: ['A letter to {s} takes {a}.', 'A telegram to {s} takes {b}.'],
      slot: 'place',
      values: [
        ['3 days', '5 hours'],
        ['4 days', '6 hours'],
        ['two days', '90 minutes'],
        ['a week', '1 day'],
      ],
    },
    {
      titles: ['Leave', 'Working at {s}'],
      texts: ['Parents at {s} get {a} of extra leave.', 'At {s}, parents have extra leave of {b}.'],
      slot: 'name',
      values: [
        ['two weeks', '14 days'],
        ['24 hours', 'one day'],
        ['six months', '6 months'],
        ['one year', '12 months'],
      ],
    },
    {
      titles: ['Budget of {s}', 'Figures'],
      texts: ['The {s} fund has {a}.', table('Fund | Money', '{s} | {b}', 'Reserve | €10')],
      slot: 'place',
      values: [
        ['€12,500.00', '12.500 €'],
        ['EUR 900', '900,00 €'],
        ['8 200 €', '€8,200'],
        ['£3,400', '£3400'],
      ],
    },
    {
      titles: ['{s} hall: term time', '{s} hall: vacation'],
      texts: ['The reading room closes at {a}.', 'The reading room closes at {b}.'],
      slot: 'place',
      values: [
        ['22:00', '18:00'],
        ['21:00', '17:00'],
        ['10 pm', '6 pm'],
        ['20:30', '16:30'],
      ],
    },
    {
      titles: ['Rates last year', 'Rates'],
      texts: ['In 2025 a night in {s} cost {a}.', 'A night in {s} costs {b}.'],
      slot: 'place',
      values: [
        ['€70', '€75'],
        ['€90', '€96'],
        ['€110', '€115'],
        ['€55', '€60'],
      ],
    },
    {
      titles: ['Bulbs', 'Tubes'],
      texts: [
        table('Light | Power', '{s} bulb | {a}', '{s} spot | 3 W'),
        table('Light | Power', '{s} tube | {b}', '{s} strip | 14 W'),
      ],
      slot: 'name',
      values: [
        ['9 W', '18 W'],
        ['7 W', '20 W'],
        ['11 W', '36 W'],
        ['5 W', '15 W'],
      ],
    },
    {
      titles: ['Trains in {s}', 'Trams in {s}'],
      texts: ['Dogs ride free on trains in {s}.', 'Dogs do not ride free on trams in {s}.'],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Front gate', 'Back gate'],
      texts: ['The front gate of {s} is locked at {a}.', 'The back gate of {s} is locked at {b}.'],
      slot: 'place',
      values: [
        ['20:00', '18:00'],
        ['21:00', '19:00'],
        ['7 pm', '6 pm'],
        ['22:00', '20:00'],
      ],
    },
    {
      titles: ['Tuesdays', 'Thursdays'],
      texts: [
        'On Tuesdays the {s} chess club meets at {a}.',
        'On Thursdays the {s} chess club meets at {b}.',
      ],
      slot: 'place',
      values: [
        ['18:00', '19:00'],
        ['17:30', '20:00'],
        ['6 pm', '8 pm'],
        ['16:00', '18:30'],
      ],
    },
    {
      titles: ['{s} measurements', 'More about the {s}'],
      texts: [table('Item | Size', 'Seat depth | {a}', 'Legs | Oak'), 'The seat height of the {s} is {b}.'],
      slot: 'product',
      values: [
        ['45 cm', '50 cm'],
        ['40 cm', '48 cm'],
        ['42 cm', '47 cm'],
        ['39 cm', '52 cm'],
      ],
    },
    {
      titles: ['Parade', 'Town news {s}'],
      texts: ['The {s} parade sets off at {a}.', 'At {b}, the {s} parade sets off.'],
      slot: 'place',
      values: [
        ['14:00', '2 pm'],
        ['11:30', '11.30 am'],
        ['noon', '12:00'],
        ['18:45', '6:45 pm'],
      ],
    },
    {
      titles: ['{s} on Android 12', '{s} on Android 14'],
      texts: ['On Android 12, {s} needs {a}.', 'On Android 14, {s} needs {b}.'],
      slot: 'name',
      values: [
        ['200 MB', '350 MB'],
        ['150 MB', '300 MB'],
        ['1 GB', '2 GB'],
        ['90 MB', '120 MB'],
      ],
    },
    {
      titles: ['Election in {s}', 'Calendar'],
      texts: ['{s} elects its council on {a}.', 'The council of {s} is elected on {b}.'],
      slot: 'place',
      values: [
        ['6 June 2027', '06.06.2027'],
        ['3 October', 'October 3rd'],
        ['2027-02-01', '1 February 2027'],
        ['May 9', '9th of May'],
      ],
    },
    {
      titles: ['Erwachsene', 'Kinder'],
      texts: ['Der Kurs in {s} kostet für Erwachsene {a}.', 'Der Kurs in {s} kostet für Kinder {b}.'],
      slot: 'place',
      values: [
        ['40 Euro', '20 Euro'],
        ['60 Euro', '25 Euro'],
        ['35 Euro', '15 Euro'],
        ['80 Euro', '40 Euro'],
      ],
      language: 'de',
    },
    {
      titles: ['Laufzeit', 'Tarif {s}'],
      texts: ['Die Laufzeit von {s} beträgt {a}.', '{s} hat eine Laufzeit von {b}.'],
      slot: 'name',
      values: [
        ['24 Monate', 'zwei Jahren'],
        ['12 Monate', 'einem Jahr'],
        ['drei Jahre', '36 Monaten'],
        ['14 Tage', 'zwei Wochen'],
      ],
      language: 'de',
    },
    {
      titles: ['Members', 'Guests'],
      texts: ['Members pay {a} for the {s} sauna.', 'Guests of members pay {b} for the {s} sauna.'],
      slot: 'place',
      values: [
        ['€6', '€11'],
        ['€5', '€9'],
        ['€8', '€14'],
        ['€7', '€12'],
      ],
    },
    {
      titles: ['Washing', 'Drying'],
      texts: ['Washing with the {s} takes {a}.', 'Drying with the {s} takes {b}.'],
      slot: 'product',
      values: [
        ['50 minutes', '2 hours'],
        ['1 hour', '3 hours'],
        ['40 minutes', '90 minutes'],
        ['30 minutes', '75 minutes'],
      ],
    },
    {
      titles: ['New tariff', 'Old tariff'],
      texts: [
        'From 1 February 2027 water in {s} costs {a}.',
        'Until 31 January 2027 water in {s} costs {b}.',
      ],
      slot: 'place',
      values: [
        ['€3.10', '€2.90'],
        ['€4.00', '€3.80'],
        ['€2.50', '€2.20'],
        ['€5', '€4.60'],
      ],
    },
    {
      titles: ['Doors', 'Windows'],
      texts: ['The {s} house has {a} doors.', 'The {s} house has {b} windows.'],
      slot: 'place',
      values: [
        ['3', '9'],
        ['four', '12'],
        ['5', '14'],
        ['two', '6'],
      ],
    },
    {
      titles: ['Uploads', 'Downloads'],
      texts: ['{s} uploads with {a}.', '{s} downloads with {b}.'],
      slot: 'name',
      values: [
        ['50 Mbps', '250 Mbps'],
        ['20 Mbps', '100 Mbps'],
        ['40 Mbps', '500 Mbps'],
        ['10 Mbps', '50 Mbps'],
      ],
    },
    {
      titles: ['Barbecues in {s}', 'Picnics in {s}'],
      texts: ['Barbecues are prohibited in the {s} park.', 'Picnics are allowed in the {s} park.'],
      slot: 'place',
      values: [
        ['', ''],
        ['', ''],
        ['', ''],
        ['', ''],
      ],
    },
    {
      titles: ['Lunch', 'Supper'],
      texts: ['Lunch in the {s} canteen costs {a}.', 'Supper in the {s} canteen costs {b}.'],
      slot: 'place',
      values: [
        ['€6', '€8'],
        ['€7', '€9.50'],
        ['£5', '£7'],
        ['€5.40', '€6.80'],
      ],
    },
    {
      titles: ['One day', 'Ten days'],
      texts: ['A day ticket for {s} costs {a}.', 'A ten-day ticket for {s} costs {b}.'],
      slot: 'place',
      values: [
        ['€8', '€60'],
        ['€9', '€70'],
        ['€7', '€55'],
        ['€12', '€90'],
      ],
    },
    {
      titles: ['Sugar', 'Fat'],
      texts: ['{s} muesli contains {a} sugar.', '{s} muesli contains {b} fat.'],
      slot: 'name',
      values: [
        ['12%', '8%'],
        ['15 %', '6 %'],
        ['9 percent', '11 percent'],
        ['20%', '4%'],
      ],
    },
  ],
  stale: [
    ['Competition in {s}', 'Entries for the {s} competition are accepted until 15 May 2026.'],
    ['Winter timetable', 'The winter timetable of {s} applies from 14 December 2025 to 29 March 2026.'],
    ['Pre-order', 'Pre-order the {s} calendar by 1 November 2026.'],
    ['Umbau {s}', 'Die Filiale {s} bleibt bis Ende August 2026 geschlossen.'],
    ['Grant', 'The {s} grant can be requested until 2026-06-30.'],
  ],
  current: [
    ['Competition of {s}', 'Entries for the {s} contest are accepted until 15 May 2027.'],
    ['Chronicle of {s}', 'On 2 April 1987 the {s} bridge was finished.'],
    ['Statutes of {s}', 'The statutes of the {s} club apply from 1 January 2024.'],
    ['Chronik {s}', 'Bis 2019 war die Filiale {s} in der Altstadt.'],
    ['Licence of {s}', 'The licence of the {s} kiosk ends on 31 December 2029.'],
  ],
};
