import { describe, expect, test } from 'vitest';
import { isContactRequest } from '../../../../../core/answering/skills/collect-lead/lead-requests.ts';
import { processorMs } from '../../../../helpers/processor-ms.ts';

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
Can you call me?
Please give me a call at 555 010 9999
Could you get back to me by email?
I'm interested in a demo, contact me at joe@x.com
We'd like to schedule a call with your sales team
Can someone reach out to me about enterprise pricing?
Please send a quote to joe@x.com
I need a quotation for 200 licences
Email me at joe@x.com
Can I request a callback?
I would love a demo
Please let your sales team contact me
Can sales contact me?
Could a sales rep call me tomorrow at 10?
Bitte um Rückruf
Können Sie mich bitte morgen anrufen?
Ich hätte gern eine Demo
Bitte kontaktieren Sie mich per E-Mail
Ich brauche ein Angebot für 10 Lizenzen
Schicken Sie mir bitte ein Angebot an a@b.de
Kann sich jemand bei mir melden?
Ich würde gerne eine Demo vereinbaren
Rufen Sie mich an
Bitte melden Sie sich unter 0171 1234567
Würden Sie mich bitte zurückrufen?
Llámenme al 612 345 678
¿Me pueden contactar?
Necesito una cotización para 20 licencias
Quisiera agendar una demo
¿Podrían enviarme un presupuesto?
Por favor contáctenme
Quiero que me llamen mañana
Pouvez-vous me contacter par e-mail ?
Je voudrais être recontacté
Pourriez-vous m'envoyer un devis ?
J'aimerais recevoir un devis
Appelez-moi au 06 12 34 56 78
Est-ce que quelqu'un peut me rappeler ?
Pouvez-vous m'appeler ?
Merci de me rappeler
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
Can I call you?
Can you contact the seller for me?
How can someone contact me?
What happens when I request a demo?
Can I email a quote from the app?
Do you call customers back?
Is a demo free?
I want to cancel my demo
Please delete my phone number
Where do I enter my email?
I want an offer letter template
Can I order a call recording feature?
Please call the function again
I received an offer by mail
Can I get a call log?
We have a quote already
Wo finde ich mein Angebot?
Kann ich ein Angebot ablehnen?
Wie rufe ich zurück?
Kann ich Kunden anrufen?
Bitte löschen Sie meine Telefonnummer
Ich habe ein Angebot bekommen
¿Puedo llamar desde la app?
¿Dónde veo mi presupuesto?
He recibido una oferta
Quiero cancelar la llamada
Puis-je appeler depuis l'application ?
Où est mon devis ?
J'ai reçu un devis
Je veux annuler mon rappel
`;

const lines = (table: string) => table.trim().split('\n');

describe('isContactRequest', () => {
  test.each(lines(requests))('matches the request: %s', (words) => {
    expect(isContactRequest(words)).toBe(true);
  });

  test.each(lines(nearMisses))('does not match: %s', (words) => {
    expect(isContactRequest(words)).toBe(false);
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
  ])('reads a message crafted to be slow within a second: %#', async (words) => {
    expect(await processorMs(() => isContactRequest(words))).toBeLessThan(1_000);
  });
});
