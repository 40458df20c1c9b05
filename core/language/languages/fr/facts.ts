import type { FactWords } from '../../fact-words.ts';

export const facts: FactWords = {
  months:
    'janvier|janv fevrier|fevr mars avril|avr mai juin juillet|juil aout septembre|sept octobre|oct novembre|nov decembre|dec',
  noon: 'midi',
  until: "jusqu'au jusqu'en jusque avant",
  since: 'depuis des partir apres',
  during: 'en',
  to: 'a au',
  fillers: 'le la de du au fin',
  past: 'etait etaient fonde ouvert',
  negations: 'ne pas aucun aucune jamais sans',
  bounds: 'plus moins tard',
  opposites: 'interdit=autorise interdits=autorises impossible=possible exclu=inclus ferme=ouvert',
  assertions:
    'peut pouvez peuvent autorise autorises possible disponible inclus accepte acceptes doit devez ouvert valable',
  contrasts: 'mais sauf seulement cependant si sinon',
  yes: 'oui inclus',
  no: 'non',
  numbered: 'version etape section chapitre page no numero article',
  restrictions: 'pour a au aux en dans avec par chez vers',
  plain: `accepte coute coutent prix frais tarif client clients delai duree dure est sont etre avoir avez peut pouvez
    doit dans les des une aux sur par pour avec nous vous notre nos votre vos il elle ils elles qui que tout tous toute
    aide page guide faq questions reponses conditions regles generales informations contact`,
  endings: 'ements ement es s e',
};
