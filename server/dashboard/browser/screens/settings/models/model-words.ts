import { models as english } from '../../../texts/english/screens/models.ts';
import { models as german } from '../../../texts/german/screens/models.ts';
import { useWords } from '../../../texts/texts.tsx';
import type { KeyTrial, ModelProvider } from './model-queries.ts';

type ModelWords = typeof english;

/** The texts of the models. */
export const useModelWords = () => useWords({ en: english, de: german });

/** The outcome of a try of a key, in one or two sentences. */
export function describeTrial(
  words: ModelWords,
  { title }: Pick<ModelProvider, 'title'>,
  { model, outcome, ms, tokens, reason }: KeyTrial,
): string {
  const said =
    outcome === 'answered'
      ? words.outcomes.answered(model, ms, tokens)
      : words.outcomes[outcome](title, model);
  return reason === null ? said : `${said} ${words.says(reason)}`;
}
