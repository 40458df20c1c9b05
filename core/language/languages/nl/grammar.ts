import type { Grammar } from '../../grammar.ts';
import { NEVER, wordSet } from '../../patterns.ts';

export const grammar: Grammar = {
  stopWords: `wie wat wanneer waar hoe waarom welke welk hoeveel lang kan kun kunnen moet is zijn was
    waren wordt worden werd heeft hebben ik je jij u jullie mijn de het een van in op voor met en of te naar
    er`,
  followUp: {
    openings: /^(?:en|maar|of|ook|dan|hoe zit het met)(?!\p{L})/iu,
    pronouns:
      /(?<!\p{L})(?:dat|dit|deze|daarvoor|daarmee|daar|ervan|ermee|hij|hem|zij|hen)(?=\s*(?:$|[?.,!]|\p{Ll}))/iu,
    empty: NEVER,
    questions: /^(?:hoe|wat|wanneer|waar|wie|waarom|welke?|hoeveel|kan|kun|is|zijn|moet|heeft)(?!\p{L})/iu,
    smallTalk: /(?<!\p{L})(?:je|jij|ben)(?!\p{L})/iu,
    prepositions: wordSet('voor in naar met zonder bij als'),
    general: wordSet('kost kosten duurt werkt betekent nodig meer extra andere ook prijs mogelijk lang veel'),
  },
  comparison: { lead: 'verschil(?:len)? tussen', between: 'en' },
  articles: 'het een de',
  ordinalNouns: 'januari februari maart mei augustus',
  negation: {
    words: 'niet geen nooit zonder noch niets niemand onmogelijk uitgesloten uitgezonderd behalve verboden',
    affirming:
      'niet (?:alleen|later|langer|meer dan)|geen (?:extra )?kosten|zonder (?:extra )?kosten|geen probleem',
    and: 'en|of',
    joins: 'maar|terwijl|als|omdat',
  },
  openers: ['natuurlijk', 'graag', 'goede vraag'],
  missingPage: 'niet gevonden',
};
