import type { LanguageTexts } from '../../language-texts.ts';

export const texts: Partial<LanguageTexts> = {
  fallback:
    'Ik heb daarop geen antwoord gevonden in de documenten die ik heb. Probeer het met andere woorden, of vraag naar een medewerker.',
  unsure: 'Ik weet het niet zeker; misschien is dit het:',
  disclosure: {
    machine: 'Een machine antwoordt op basis van onze hulppagina’s.',
    person: 'U kunt op elk moment om een mens vragen.',
  },
  missingPart: 'Ik heb hierop geen antwoord gevonden in de documenten die ik heb.',
  signIn: 'Daarvoor moet ik zeker weten wie u bent. Meld u aan en vraag het opnieuw.',
  skillFailure: 'Dat is me zojuist niet gelukt. Probeer het zo meteen opnieuw, of vraag naar een medewerker.',
  channel: {
    greeting:
      'Hallo! Vraag me wat u wilt, dan zoek ik het antwoord. Vraag naar een medewerker als u liever met een mens spreekt.',
    help: 'Schrijf uw vraag in uw eigen woorden. Ik antwoord uit onze documenten en zeg waar het antwoord vandaan komt. Vraag naar een medewerker als u liever met een mens spreekt.',
    unreadable: 'Afbeeldingen, opnamen en bestanden kan ik nog niet lezen. Schrijf uw vraag als tekst.',
    filesUnread:
      'Wat u hebt bijgevoegd, heb ik niet gezien: afbeeldingen, opnamen en bestanden kan ik nog niet lezen.',
    mayHelp: 'Dit helpt misschien',
    trouble:
      'Ik kon zojuist geen antwoord geven. Probeer het zo meteen opnieuw, of vraag naar een medewerker.',
    unavailable: 'Ik kan op dit moment geen vragen beantwoorden. Vraag naar een medewerker.',
    askRating: 'Hoe hebben we het gedaan? Antwoord met een cijfer van 1 (slecht) tot 5 (zeer goed).',
    rated: 'Bedankt voor uw beoordeling.',
  },
  handover: {
    passedOn: 'Ik heb dit gesprek doorgegeven aan ons team.',
    alreadyKnown: 'Ons team weet al van dit gesprek.',
    shortly: 'Er is hier zo iemand voor u.',
    someTime: 'Een medewerker zal u hier antwoorden.',
    backOn: ({ day, time, zone }) => `Ons team is ${day} om ${time} uur (${zone}) terug en antwoordt u hier.`,
  },
  lead: {
    askForAll:
      'Wat is uw naam en een e-mailadres of telefoonnummer, zodat ons team contact met u kan opnemen?',
    askForContact: (name) =>
      `Dank u, ${name}. Wat is een e-mailadres of telefoonnummer, zodat ons team contact met u kan opnemen?`,
    noted: (details) =>
      `Dank u. Ik heb ${details} genoteerd, zodat ons team contact met u kan opnemen. Er neemt iemand contact met u op.`,
    requestNoted:
      'Dank u. Ik heb uw verzoek genoteerd. Ons team neemt contact met u op via de gegevens die we van u hebben.',
    askForName: 'Wat is uw naam, zodat ons team weet naar wie het moet vragen?',
    nameNoted: (name) =>
      `Dank u, ${name}. Ik heb uw naam genoteerd, zodat ons team contact met u kan opnemen.`,
    declined: 'Goed. Ik heb geen contactgegevens genoteerd.',
    nameDeclined: 'Goed, dan zonder naam. Ons team neemt contact met u op.',
    gaveUp:
      'Zonder e-mailadres of telefoonnummer kan ons team geen contact met u opnemen. U kunt er altijd opnieuw om vragen.',
  },
};
