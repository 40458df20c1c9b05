import { wordList } from '../../patterns.ts';
import type { Courtesies, RequestForms } from '../../requests.ts';

export const courtesies: Courtesies = {
  openers: wordList('ola oi ok bem sim obrigado obrigada desculpe entao', [
    'por favor',
    'b(?:om|oa) (?:dia|tarde|noite)',
    'nao(?= ,)',
  ]),
  links: wordList('e mas porque ou entao'),
  closers: wordList('agora ja hoje urgente obrigado obrigada', ['por favor', 'o mais rapido possivel']),
};

const kind =
  '(?: (?:real|humano|humana|de verdade|d[oa] (?:suporte|equipe|equipa|atendimento)|de (?:suporte|atendimento)))*';
const noun =
  '(?:pessoa|humano|ser humano|atendente|agente|operadora?|assistente|representante|consultora?|responsavel|funcionari[oa])';
const person = `(?:(?:um |uma |o |a |algum |alguma )?${noun}${kind}|alguem${kind})`;
const desk =
  '(?:(?:o |a |vosso |seu )?(?:atendimento(?: ao cliente)?|suporte(?: tecnico)?|apoio ao cliente))';

/** How a person is asked for in Portuguese. */
export const personRequests: RequestForms = {
  requests: [
    `(?:(?:eu )?(?:quero|queria|gostaria de|preciso(?: de)?|desejo|prefiro|tenho que)|(?:como )?(?:posso|poderia|podemos|da para)|(?:e|seria) possivel)(?: por favor)? (?:falar|conversar|contactar|contatar|ser atendid[oa]|ser transferid[oa]) (?:com|por|para) (?:${person}|${desk})`,
    `(?:eu )?(?:quero|queria|preciso de|gostaria de) (?:um |uma )${noun}${kind}(?= *$| (?:,|por|agora|que)(?: |$))`,
    `(?:me )?(?:pode|poderia|podem|podes)(?: por favor)? (?:me )?(?:passar|transferir|ligar|conectar|por em contacto|colocar em contato)(?: me)? (?:com|para|a) ${person}`,
    `(?:me passe|passe me|me transfira|transfira me|me conecte) (?:com|para|a) ${person}`,
  ],
  tails: ['sobre|para|que|porque|do|da|de|em|e|ou|nao|por'],
  bare: [
    `(?:falar )?com (?:${person}|${desk})`,
    `(?:um |uma )?(?:humano|ser humano|atendente|pessoa (?:real|de verdade)|agente humano|operadora?)${kind}`,
  ],
};
