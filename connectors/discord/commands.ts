import type { RESTPostAPIChatInputApplicationCommandsJSONBody } from 'discord.js';
import { offerTexts } from '../shared/offer-texts.ts';

const SLASH = 1;
const TEXT = 3;
/** In servers, and in direct conversations with the bot. */
const CONTEXTS = [0, 1];
const SERVERS = [0];
const LONGEST_QUESTION = 4_000;

const languages = (de: string, es: string, fr: string) => ({ de, 'es-ES': es, 'es-419': es, fr });
const human = (language: string) => offerTexts(language).human;

/** What people can give as a command. Discord calls them by these names in every language. */
export const commands = [
  {
    type: SLASH,
    name: 'ask',
    description: 'Ask a question',
    description_localizations: languages('Eine Frage stellen', 'Hacer una pregunta', 'Poser une question'),
    contexts: CONTEXTS,
    integration_types: SERVERS,
    options: [
      {
        type: TEXT,
        name: 'question',
        description: 'What you want to know',
        description_localizations: languages(
          'Was du wissen willst',
          'Lo que quieres saber',
          'Ce que tu veux savoir',
        ),
        required: true,
        max_length: LONGEST_QUESTION,
      },
    ],
  },
  {
    type: SLASH,
    name: 'human',
    description: human('en'),
    description_localizations: languages(human('de'), human('es'), human('fr')),
    contexts: CONTEXTS,
    integration_types: SERVERS,
    options: [
      {
        type: TEXT,
        name: 'message',
        description: 'What it is about',
        description_localizations: languages('Worum es geht', 'De qué se trata', 'De quoi il s’agit'),
        required: false,
        max_length: LONGEST_QUESTION,
      },
    ],
  },
] as const satisfies readonly RESTPostAPIChatInputApplicationCommandsJSONBody[];
