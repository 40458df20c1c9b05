import type { Grammar } from '../../grammar.ts';
import { NEVER, wordSet } from '../../patterns.ts';

export const grammar: Grammar = {
  stopWords: `quem que quê quando onde como por qual quais quanto quanta quantos quantas é são foi foram
    era pode posso há se meu minha o a os as um uma de do da dos das em no na para com e ou ao`,
  followUp: {
    openings: /^(?:e|mas|ou|também|então)(?!\p{L})/iu,
    pronouns: /(?<!\p{L})(?:isso|isto|esse|essa|aquilo|ele|ela|eles|elas|lá|ambos)(?!\p{L})/iu,
    empty: NEVER,
    questions: /^(?:como|que|quando|onde|quem|por que|qual|quais|quant[oa]s?|posso|é|são|há)(?!\p{L})/iu,
    smallTalk: /(?<!\p{L})(?:você|tu|és)(?!\p{L})/iu,
    prepositions: wordSet('para em no na com sem se por'),
    general: wordSet(
      'custa custam demora dura funciona mais extra outro outra outros também preço possível tempo',
    ),
  },
  comparison: { lead: 'diferenças? entre', between: 'e' },
  articles: 'o os as um uma',
  negation: {
    words:
      'nao nunca jamais sem nem nenhum nenhuma nada ninguem impossivel excluido excluida excluidos excluidas exceto salvo proibido proibida',
    affirming: 'nao (?:so|apenas|mais de)|sem (?:custos?|encargos|taxas)(?: adiciona(?:l|is))?',
    and: 'e|ou',
    joins: 'mas|enquanto|se|quando|porque',
  },
  openers: ['com certeza', 'com prazer', 'boa pergunta', 'olá'],
  secrets: { names: 'senha' },
  missingPage: 'não encontrad',
};
