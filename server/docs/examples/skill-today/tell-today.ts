import type { Skill } from '../../../../core/contract/skill.ts';

/** The question in the visitor's own words. Other languages go into their folders, as those of the other skills do. */
const ASKED = /\bwhat (?:day|date) is (?:it|today)\b/iu;

/**
 * Tells which day it is. Start a built-in skill of your own from it: `npm run new -- skill NAME`. A skill of one company
 * is an HTTP skill instead.
 */
export function tellToday(): Skill {
  return {
    name: 'tell_today',
    description: 'Tells which day it is. Use it only if the visitor asks for the day or the date of today.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    runsFor: 'everyone',
    trigger: ({ question }) => (ASKED.test(question) ? {} : null),
    async run(_given, { now, language }) {
      const day = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(now);
      return { reply: `${day} (UTC).`, finding: null, effects: [] };
    },
  };
}
