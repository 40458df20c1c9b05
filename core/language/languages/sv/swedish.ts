import type { LanguagePack } from '../../language-pack.ts';

export const swedish: LanguagePack = {
  code: 'sv',
  name: 'Swedish',
  script: 'latin',
  grammar: {
    stopWords: `vem vilka vilken vilket vad när var vart hur varför många mycket lång länge kan är var blev
    har hade jag du ni min mitt mina en ett den det de och i på för med av till som`,
  },
  texts: {
    fallback:
      'Jag hittade inget svar på det i de dokument jag har. Försök med andra ord, eller be att få tala med en person.',
    disclosure: {
      machine: 'En maskin svarar utifrån våra hjälpsidor.',
      person: 'Du kan när som helst be att få tala med en person.',
    },
    skillFailure:
      'Jag kunde inte göra det just nu. Försök igen om en stund, eller be att få tala med en person.',
  },
};
