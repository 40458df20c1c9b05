import type { LanguageTexts } from '../../language-texts.ts';

export const texts: Partial<LanguageTexts> = {
  fallback:
    'Nie znalazłem na to odpowiedzi w dokumentach, które mam. Proszę spróbować innymi słowami albo poprosić o rozmowę z człowiekiem.',
  unsure: 'Nie mam pewności, ale może chodzi o to:',
  disclosure: {
    machine: 'Odpowiada maszyna na podstawie naszych stron pomocy.',
    person: 'W każdej chwili można poprosić o rozmowę z człowiekiem.',
  },
  missingPart: 'Nie ma na to odpowiedzi w dokumentach, które mam.',
  signIn: 'Do tego muszę mieć pewność, kim Pan lub Pani jest. Proszę się zalogować i zapytać ponownie.',
  skillFailure:
    'Nie udało mi się teraz tego zrobić. Proszę spróbować ponownie za chwilę albo poprosić o rozmowę z człowiekiem.',
  channel: {
    greeting:
      'Dzień dobry! Proszę pytać o wszystko, poszukam odpowiedzi. W każdej chwili można poprosić o rozmowę z człowiekiem.',
    help: 'Proszę napisać pytanie własnymi słowami. Odpowiadam na podstawie naszych dokumentów i podaję, skąd pochodzi odpowiedź. W każdej chwili można poprosić o rozmowę z człowiekiem.',
    unreadable: 'Nie umiem jeszcze czytać zdjęć, nagrań i plików. Proszę napisać pytanie jako tekst.',
    filesUnread: 'Nie widzę załączników: nie umiem jeszcze czytać zdjęć, nagrań i plików.',
    mayHelp: 'To może pomóc',
    trouble:
      'Nie udało mi się teraz odpowiedzieć. Proszę spróbować ponownie za chwilę albo poprosić o rozmowę z człowiekiem.',
    unavailable: 'W tej chwili nie mogę odpowiadać na pytania. Proszę poprosić o rozmowę z człowiekiem.',
    askRating:
      'Jak oceniają Państwo naszą pomoc? Proszę odpowiedzieć liczbą od 1 (źle) do 5 (bardzo dobrze).',
    rated: 'Dziękujemy za ocenę.',
  },
  handover: {
    passedOn: 'Przekazałem tę rozmowę naszemu zespołowi.',
    alreadyKnown: 'Nasz zespół już wie o tej rozmowie.',
    shortly: 'Za chwilę ktoś tu odpowie.',
    someTime: 'Odpowie tu człowiek.',
    backOn: ({ day, time, zone }) =>
      `Nasz zespół będzie znów dostępny: ${day}, godz. ${time} (${zone}), i odpowie tutaj.`,
  },
  lead: {
    askForAll:
      'Proszę podać imię i nazwisko oraz adres e-mail lub numer telefonu, aby nasz zespół mógł się skontaktować.',
    askForContact: (name) =>
      `Dziękuję, ${name}. Proszę podać adres e-mail lub numer telefonu, aby nasz zespół mógł się skontaktować.`,
    noted: (details) =>
      `Dziękuję. Zapisano: ${details}, aby nasz zespół mógł się skontaktować. Ktoś się odezwie.`,
    requestNoted:
      'Dziękuję. Prośba została zapisana. Nasz zespół skontaktuje się za pomocą danych, które już mamy.',
    askForName: 'Jak się Pan lub Pani nazywa, aby nasz zespół wiedział, o kogo pytać?',
    nameNoted: (name) => `Dziękuję, ${name}. Imię zostało zapisane, aby nasz zespół mógł się skontaktować.`,
    declined: 'W porządku. Żadne dane kontaktowe nie zostały zapisane.',
    nameDeclined: 'W porządku, w takim razie bez imienia. Nasz zespół się skontaktuje.',
    gaveUp:
      'Bez adresu e-mail lub numeru telefonu nasz zespół nie może się skontaktować. W każdej chwili można mnie o to znów poprosić.',
  },
};
