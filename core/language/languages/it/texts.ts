import type { LanguageTexts } from '../../language-texts.ts';

export const texts: Partial<LanguageTexts> = {
  fallback:
    'Non ho trovato una risposta nei documenti che ho. Provi con altre parole, o chieda di parlare con una persona.',
  unsure: 'Non ne sono sicuro; forse è questo:',
  disclosure: {
    machine: 'Risponde una macchina in base alle nostre pagine di aiuto.',
    person: 'Può chiedere di una persona in qualsiasi momento.',
  },
  missingPart: 'Non ho trovato una risposta a questo nei documenti che ho.',
  signIn: 'Per questo devo sapere con certezza chi è lei. Acceda e chieda di nuovo.',
  skillFailure: 'Al momento non ho potuto farlo. Riprovi tra poco, o chieda di parlare con una persona.',
  channel: {
    greeting:
      'Salve! Mi chieda quello che vuole e cercherò la risposta. Se preferisce, chieda di parlare con una persona.',
    help: 'Scriva la Sua domanda con parole Sue. Rispondo dai nostri documenti e dico da dove viene la risposta. Se preferisce, chieda di parlare con una persona.',
    unreadable: 'Non so ancora leggere immagini, registrazioni e file. Scriva la Sua domanda, per favore.',
    filesUnread: 'Non ho visto quello che ha allegato: non so ancora leggere immagini, registrazioni e file.',
    mayHelp: 'Questo può aiutare',
    trouble:
      'In questo momento non sono riuscito a rispondere. Riprovi tra poco, o chieda di parlare con una persona.',
    unavailable: 'Al momento non posso rispondere alle domande. Chieda di parlare con una persona.',
    askRating: 'Come siamo andati? Risponda con un numero da 1 (male) a 5 (molto bene).',
    rated: 'Grazie per la Sua valutazione.',
  },
  handover: {
    passedOn: 'Ho passato questa conversazione al nostro team.',
    alreadyKnown: 'Il nostro team è già al corrente di questa conversazione.',
    shortly: 'Tra poco qualcuno Le risponderà qui.',
    someTime: 'Una persona Le risponderà qui.',
    backOn: ({ day, time, zone }) =>
      `Il nostro team torna ${day} alle ore ${time} (${zone}) e Le risponderà qui.`,
  },
  lead: {
    askForAll:
      'Mi dica il Suo nome e un indirizzo e-mail o un numero di telefono, così il nostro team può mettersi in contatto con Lei.',
    askForContact: (name) =>
      `Grazie, ${name}. Mi dica un indirizzo e-mail o un numero di telefono, così il nostro team può mettersi in contatto con Lei.`,
    noted: (details) =>
      `Grazie. Ho annotato ${details}, così il nostro team può mettersi in contatto con Lei. Qualcuno La contatterà.`,
    requestNoted:
      'Grazie. Ho annotato la Sua richiesta. Il nostro team La contatterà ai recapiti che abbiamo di Lei.',
    askForName: 'Come si chiama, così il nostro team sa di chi chiedere?',
    nameNoted: (name) =>
      `Grazie, ${name}. Ho annotato il Suo nome, così il nostro team può mettersi in contatto con Lei.`,
    declined: "D'accordo. Non ho annotato nessun recapito.",
    nameDeclined: "D'accordo, allora senza nome. Il nostro team La contatterà.",
    gaveUp:
      'Senza un indirizzo e-mail o un numero di telefono il nostro team non può contattarLa. Può chiedermelo di nuovo in qualsiasi momento.',
  },
};
