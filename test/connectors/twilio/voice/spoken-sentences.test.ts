import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spokenSentences } from '../../../../connectors/twilio/voice/speech/spoken-sentences.ts';

const spoken = (markdown: string, tag: string) => spokenSentences(markdown, tag).join(' ');

describe('English speech', () => {
  test.each([
    ['We are **open** on _weekdays_.', 'We are open on weekdays.'],
    ['See the [delivery page](https://shop.example/delivery) for more.', 'See the delivery page for more.'],
    ['Go to https://shop.example/returns?a=1&b=2.', 'Go to a web address.'],
    ['Look at www.shop.com or help.shop.com/faq today', 'Look at a web address or a web address today.'],
    ['Write to info@garden-shop.com.', 'Write to info at garden-shop dot com.'],
    ['# Prices\n\nFrom $5', 'Prices. From 5 dollars.'],
    ['It costs €19.99.', 'It costs 19 euros and 99 cents.'],
    ['It costs 19,99 €.', 'It costs 19 euros and 99 cents.'],
    ['$1,299.00 or EUR 1.299,50', '1299 dollars or 1299 euros and 50 cents.'],
    ['£0.50 a piece, £1 for two', '50 pence a piece, 1 pound for two.'],
    ['$9/month, US$ 99 / year', '9 dollars per month, 99 dollars per year.'],
    ['A budget of $1.5 million', 'A budget of 1.5 million dollars.'],
    ['between €5–€10 or 10-20 €', 'between 5 euros to 10 euros or 10 to 20 euros.'],
    ['It is 20% cheaper, or 2.5 % for members', 'It is 20 percent cheaper, or 2.5 percent for members.'],
    ['Open Mon–Fri 9:00–17:30.', 'Open Monday to Friday 9 AM to 5:30 PM.'],
    ['Sat: 10am-2pm, Sun: 10 a.m. only', 'Saturday: 10 AM to 2 PM, Sunday: 10 AM only.'],
    ['Until 17:00. Or 5 p.m. today. Not 6pm.', 'Until 5 PM. Or 5 PM today. Not 6 PM.'],
    ['at 00:00, 12:00 and 12:30', 'at midnight, noon and 12:30 PM.'],
    ['On 2026-11-21 we close', 'On November 21, 2026 we close.'],
    ['On 11/21/2026 and on 3/4/2026', 'On November 21, 2026 and on March 4, 2026.'],
    ['On 21.11.2026', 'On November 21, 2026.'],
    ['in 3–5 days, rooms 2-4', 'in 3 to 5 days, rooms 2 to 4.'],
    ['Call +49 30 123456 or (020) 7946-0000.', 'Call plus 4 9, 3 0, 1 2 3 4 5 6 or 0 2 0, 7 9 4 6, 0 0 0 0.'],
    ['Order 4471982 and code 0042', 'Order 4 4 7 1 9 8 2 and code 0 0 4 2.'],
    ['10,000 users in 2026, 42 of them here', '10000 users in 2026, 42 of them here.'],
    [
      'It weighs 5 kg and 1 lbs, and runs 100 km/h.',
      'It weighs 5 kilograms and 1 pound, and runs 100 kilometres per hour.',
    ],
    ['-5 °C to 20 °C', 'minus 5 degrees Celsius to 20 degrees Celsius.'],
    ['Bring a towel, e.g. a large one, etc.', 'Bring a towel, for example a large one, and so on.'],
    ['Terms & conditions, i.e. our rules', 'Terms and conditions, that is our rules.'],
    ['We are here 24/7 (approx. 1 min away)', 'We are here around the clock (approximately 1 minute away).'],
    ['less than < 5 days, > 3', 'less than less than 5 days, more than 3.'],
    ['- Roses\n- Tulips\n- Lilies', 'Roses. Tulips. Lilies.'],
    ['1. Open the box.\n2. Read on', 'First: Open the box. Second: Read on.'],
    ['Done 👩‍👩‍👧‍👦 🎉!', 'Done!'],
    ['| Plan | Price |\n| --- | --- |\n| Small | $5 |', 'Small; Price: 5 dollars.'],
    ['Run this:\n\n```sh\nrm -rf /\n```', 'Run this: There is a piece of code here, which I leave out.'],
    ['A <break time="10s"/> in <b>it</b>', 'A in it.'],
    ['> Quoted\n\n---\n\nThe end [1]', 'Quoted. The end.'],
    ['It is 5½ × 3', 'It is 5 one half by 3.'],
    ['Well — that is it', 'Well, that is it.'],
  ])('speaks %j', (markdown, expected) => {
    expect(spoken(markdown, 'en-US')).toBe(expected);
  });

  test('puts the day first in British English', () => {
    expect(spoken('On 3/4/2026 and 2026-11-21', 'en-GB')).toBe('On 3 April 2026 and 21 November 2026.');
  });
});

describe('German speech', () => {
  test.each([
    ['Es kostet 19,99 € inkl. MwSt.', 'Es kostet 19 Euro 99 inklusive Mehrwertsteuer.'],
    ['Es kostet 1,00 € oder 1.299,50 EUR', 'Es kostet ein Euro oder 1299 Euro 50.'],
    ['0,50 € pro Stück, 5,- € für zwei', '50 Cent pro Stück, 5 Euro für zwei.'],
    ['9 €/Monat, ca. 99 € / Jahr', '9 Euro pro Monat, circa 99 Euro pro Jahr.'],
    ['ein Budget von 1,5 Mio. €', 'ein Budget von 1,5 Millionen Euro.'],
    ['10–20 €', '10 bis 20 Euro.'],
    ['Geöffnet Mo–Fr 9:00–17:30 Uhr.', 'Geöffnet Montag bis Freitag 9 Uhr bis 17 Uhr 30.'],
    ['Mo.-Fr. 9–17 Uhr, Sa 10 Uhr', 'Montag bis Freitag 9 bis 17 Uhr, Samstag 10 Uhr.'],
    ['Am 21.11.2026 und am 3. 4.', 'Am 21. November 2026 und am 3. April.'],
    ['Am 2026-11-21 um 08:05 Uhr', 'Am 21. November 2026 um 8 Uhr 5.'],
    [
      '20 % Rabatt, z. B. auf Rosen, d.h. heute',
      '20 Prozent Rabatt, zum Beispiel auf Rosen, das heißt heute.',
    ],
    ['Rosen, Tulpen usw. sind da. Lilien nicht.', 'Rosen, Tulpen und so weiter sind da. Lilien nicht.'],
    ['5 km, 3 Std. und 1 Min.', '5 Kilometer, 3 Stunden und 1 Minute.'],
    ['10.000 Kunden & 1.234.567 Blumen', '10000 Kunden und 1234567 Blumen.'],
    ['Tel. 030 1234567 oder +49 (30) 12 34', 'Telefon 0 3 0, 1 2 3 4 5 6 7 oder plus 4 9, 3 0, 1 2, 3 4.'],
    ['Mehr auf https://laden.de/hilfe.', 'Mehr auf eine Webadresse.'],
    ['Schreiben Sie an info@laden.de', 'Schreiben Sie an info ät laden Punkt de.'],
    ['-3 °C und ≤ 5 m²', 'minus 3 Grad Celsius und höchstens 5 Quadratmeter.'],
    ['1. Öffnen\n2. Lesen', 'Erstens: Öffnen. Zweitens: Lesen.'],
    ['Rund um die Uhr, also 24/7', 'Rund um die Uhr, also rund um die Uhr.'],
    ['§ 5 Abs. 2 der AGB', 'Paragraf 5 Absatz 2 der A G B.'],
    ['2,5 kg', '2,5 Kilogramm.'],
  ])('speaks %j', (markdown, expected) => {
    expect(spoken(markdown, 'de-DE')).toBe(expected);
  });
});

test('only removes what cannot be spoken in other languages', () => {
  expect(spoken('**Hola** [aquí](https://a.example/b) https://tienda.es 5 €', 'es-ES')).toBe(
    'Hola aquí 5 €.',
  );
});

test('does not end a sentence after a number', () => {
  expect(spokenSentences('Wir haben am 21. November zu. Danach nicht. Bis bald!', 'de-DE')).toEqual([
    'Wir haben am 21. November zu.',
    'Danach nicht.',
    'Bis bald!',
  ]);
});

test('never speaks markup, web addresses or empty sentences', () => {
  const pieces = fc.oneof(
    fc.constantFrom(
      '**',
      '`',
      '\n- ',
      '[a](https://a.example)',
      'https://b.example/c',
      '<b>',
      '\n# ',
      '|',
      ' 5 €',
      ' ',
    ),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
  );
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 40 }),
      fc.constantFrom('en-US', 'de-DE', 'fr-FR'),
      (parts, tag) => {
        for (const sentence of spokenSentences(parts.join(''), tag)) {
          expect(sentence).not.toMatch(/[*`<>|]|https?:\/\//);
          expect(sentence.trim()).not.toBe('');
        }
      },
    ),
    { numRuns: 300 },
  );
});
