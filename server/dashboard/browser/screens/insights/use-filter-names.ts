import { kindName, useTexts } from '../../texts/texts.tsx';
import { useInsightWords } from './insight-words.ts';
import type { FilterName } from './use-scope.ts';

/** The public agent is not a kind of channel. */
const agents: Readonly<Record<string, string>> = { mcp: 'MCP', nlweb: 'NLWeb', api: 'API' };

/** Returns a function that names the value of a filter for people. */
export function useFilterNames(): (filter: FilterName, value: string) => string {
  const { texts, language } = useTexts();
  const words = useInsightWords();
  const languages = new Intl.DisplayNames(language, { type: 'language' });
  const outcomes: Readonly<Record<string, string>> = words.outcomes.names;
  const confidences: Readonly<Record<string, string>> = words.questions.confidences;
  return (filter, value) => {
    switch (filter) {
      case 'channel':
        return agents[value] ?? kindName(value, texts);
      case 'language':
        return value === 'und' ? words.shortText : nameLanguage(languages, value);
      case 'audience':
        return value === '*' ? words.everybody : value === '-' ? words.unknown : value;
      case 'hour':
        return words.hour(Number(value));
      case 'outcome':
        return outcomes[value] ?? value;
      case 'confidence':
        return confidences[value] ?? value;
      case 'model':
        return value === '-' ? words.cost.noModel : value;
      case 'document':
        return value;
    }
  };
}

/** An address can hold anything, also a code that is none. */
function nameLanguage(languages: Intl.DisplayNames, code: string): string {
  return /^[a-z]{2,3}$/.test(code) ? (languages.of(code) ?? code) : code;
}
