import type { Grammar } from '../../grammar.ts';
import { wordSet } from '../../patterns.ts';

export const grammar: Grammar = {
  stopWords: `quién quiénes qué cuándo dónde adónde cómo cuál cuáles cuánto cuánta cuántos cuántas por
    para puedo puede pueden es son fue fueron era eran está están hay se mi mis su sus el la los las lo un
    una unos unas de del a al en con y o que como quien cuando donde cual cuanto`,
  followUp: {
    openings: /^[¿¡\s]*(?:y|e|pero|o|también|entonces|ok|qué (?:hay|pasa|tal) (?:de|con|si))(?!\p{L})/iu,
    pronouns:
      /(?<!\p{L})(?:eso|esto|ese|esa|esos|esas|este|esta|estos|estas|ello|ellos|ellas|él|ella|allí|allá|ahí|ambos|ambas)(?!\p{L})/iu,
    empty: /(?:este|esta|estos|estas) (?:semana|mes|año)/giu,
    questions:
      /^[¿\s]*(?:cómo|qué|cuándo|dónde|quién|por qué|cuál|cuáles|cuánt[oa]s?|puedo|pueden|es|son|hay|tengo|debo)(?!\p{L})/iu,
    smallTalk: /(?<!\p{L})(?:tú|eres|estás)(?!\p{L})/iu,
    prepositions: wordSet('para en a al de desde con sin por si antes después'),
    general:
      wordSet(`cuesta cuestan costar tarda tardan dura funciona significa necesito hacer hago más extra otro otra
    otros otras mismo misma también adicional precio vale posible`),
  },
  comparison: { lead: 'diferencias? entre', between: 'y' },
  articles: 'el la los las un una mi mis',
  abbreviations: { inner: 'sra dra núm pág p.ej ej avda', final: 's.a s.l' },
  sentenceStarts: 'el la los las un una en si',
  numbers: {
    one: 'un una uno',
    fromTwo: `dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis
    diecisiete dieciocho diecinueve veinte`,
    tens: 'treinta cuarenta cincuenta sesenta setenta ochenta noventa cien',
  },
  units: {
    second: 'segundo segundos',
    minute: 'minuto minutos min',
    hour: 'hora horas',
    day: 'dia dias',
    workday: 'laborables habiles',
    week: 'semana semanas',
    month: 'mes meses',
    year: 'ano anos',
    percent: 'porcentaje porciento',
    currencies: { EUR: 'euro euros', USD: 'dolar dolares', GBP: 'libra libras', CHF: 'francos' },
    free: 'gratis gratuito gratuita gratuitos gratuitas',
  },
  negation: {
    words:
      'no nunca jamas sin ni ningun ninguno ninguna nada nadie imposible excluido excluida excluidos excluidas excepto salvo prohibido prohibida',
    affirming: 'no (?:solo|mas de|mas tarde)|sin (?:coste|costo|cargo|gastos)(?: adicional(?:es)?)?',
    and: 'y|e|o',
    joins: 'pero|mientras que|sino|si|cuando|porque',
  },
  openers: [
    'claro',
    'claro que sí',
    'hola',
    'por supuesto',
    'con gusto',
    'con mucho gusto',
    'buena pregunta',
  ],
  claims: {
    firstPerson: 'he|yo',
    claims:
      'he\\s+(?:ya\\s+)?(?:ejecutado|borrado|eliminado|cancelado|anulado|reembolsado|cambiado|actualizado|enviado|reservado|creado|transferido|activado|desactivado|restablecido|confirmado|procesado|aprobado)|yo\\s+(?:ejecuté|borré|eliminé|cancelé|reembolsé|cambié|envié|creé|activé)',
  },
  secrets: { names: 'contraseña', wholeNames: 'clave', is: 'es', was: 'era' },
  missingPage: 'no encontrad',
};
