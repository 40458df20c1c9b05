import { describe, expect, test } from 'vitest';
import { asksToBeContacted } from '../../../../core/skills/collect-lead/asks-to-be-contacted.ts';

const requests = `
Can someone call me back?
Please contact me at ann@example.com
I'd like a quote for 50 seats, my email is ann@example.com
Could you call me back tomorrow?
Call me at +49 30 1234567
call me back please
Hi, can somebody from sales get in touch with me?
I would like to book a demo
We need an offer for 20 users.
Can I get a quote?
Could we schedule a demo for next week?
Please have someone call me.
I want to be contacted by phone
Can you send me a quote for the Growth plan?
Please email me back at bob@example.org
My name is Ann and I'd like a callback
You can reach me at 030 1234567
I'd like to get in touch with sales
Send me an offer please
demo please
Book a demo
Rufen Sie mich bitte zurück
Bitte rufen Sie mich unter 030 1234567 an
Können Sie mich zurückrufen?
Kann mich jemand zurückrufen?
Kann jemand mich bitte anrufen?
Ich hätte gerne ein Angebot für 50 Plätze
Ich möchte eine Demo buchen
Kontaktieren Sie mich bitte unter ann@example.com
Melden Sie sich bitte bei mir
Könnten Sie mir ein Angebot schicken?
Ich bitte um Rückruf
Rückruf bitte
Ich möchte zurückgerufen werden.
Bitte nehmen Sie Kontakt mit mir auf
Pueden llamarme
¿Me pueden llamar mañana?
Llámeme por favor
Quiero un presupuesto para 50 usuarios
Me gustaría recibir una cotización
Contáctenme en ann@example.com
Quiero que me llamen
¿Podría alguien llamarme?
Rappelez-moi
Pouvez-vous me rappeler demain ?
Je voudrais un devis pour 50 postes
J'aimerais une démo
Contactez-moi à ann@example.com svp
Je souhaite être rappelé
Quelqu'un peut-il me rappeler ?
Merci de me contacter au 01 23 45 67 89
`;

const nearMisses = `
How do I request a callback in the API?
What is your e-mail address?
How can I contact support?
Do you offer demos?
Please don't call me
Do not contact me again
Why did you call me?
Who called me yesterday?
How often will you contact me?
Can customers call me through the widget?
How do I send a quote to a client?
Can I export my contacts?
Can you email me the invoice?
How do I change the callback URL?
I need a callback URL for my app
I want to quote a message
What is the phone number of the office?
Is there a demo workspace?
How long is the free trial?
Can I see a list of my calls?
Does the offer end on Friday?
I got a call from you, what was it?
How do I book a meeting room?
Will someone contact me when my order ships?
I need the demo account deleted
Can I get an invoice?
Stop emailing me
I called you twice
Wie fordere ich einen Rückruf über die API an?
Bieten Sie Demos an?
Wie lautet Ihre E-Mail-Adresse?
Wie kann ich den Support erreichen?
Rufen Sie mich nicht an
Warum haben Sie mich angerufen?
Wie erstelle ich ein Angebot?
Ich möchte kein Angebot
Wann läuft das Angebot ab?
¿Cómo solicito una llamada en la API?
¿Cuál es su correo electrónico?
¿Ofrecen demos?
No me llamen
No quiero una demo
¿Cómo puedo llamar al soporte?
¿Cómo hago un presupuesto?
Comment demander un rappel dans l'API ?
Quelle est votre adresse e-mail ?
Proposez-vous des démos ?
Ne me rappelez pas
Je ne veux pas de devis
Comment créer un devis ?
Comment contacter le support ?
`;

const lines = (table: string) => table.trim().split('\n');

describe('asksToBeContacted', () => {
  test.each(lines(requests))('hears the request: %s', (words) => {
    expect(asksToBeContacted(words)).toBe(true);
  });

  test.each(lines(nearMisses))('hears no request: %s', (words) => {
    expect(asksToBeContacted(words)).toBe(false);
  });

  test.each([
    'please '.repeat(570),
    'can you please '.repeat(260),
    'i would like a free '.repeat(200),
    `rufen sie mich ${'bitte '.repeat(650)}`,
    `rufen sie mich unter ${'1 '.repeat(1_900)}`,
    `können sie mir ein angebot ${'für '.repeat(900)}`,
    `pueden ${'por favor '.repeat(390)}`,
    `je voudrais ${'svp '.repeat(950)}`,
  ])('a message made to be slow is read within a second: %#', (words) => {
    const start = performance.now();
    asksToBeContacted(words);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
