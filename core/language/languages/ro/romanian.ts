import type { LanguagePack } from '../../language-pack.ts';

export const romanian: LanguagePack = {
  code: 'ro',
  name: 'Romanian',
  script: 'latin',
  grammar: {
    stopWords: `cine cui ce care când unde cum de câți câte cât câtă pot poate este sunt era erau a fost au
    meu mea și în la pe din cu pentru un o al ale lui`,
  },
  texts: {
    fallback:
      'Nu am găsit un răspuns în documentele pe care le am. Încercați cu alte cuvinte sau cereți să vorbiți cu o persoană.',
    disclosure: {
      machine: 'Răspunde o mașină, pe baza paginilor noastre de ajutor.',
      person: 'Puteți cere oricând să vorbiți cu o persoană.',
    },
    skillFailure:
      'Nu am putut face asta acum. Încercați din nou peste câteva momente sau cereți să vorbiți cu o persoană.',
  },
};
