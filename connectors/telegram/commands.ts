import { offerTexts } from '../shared/offer-texts.ts';

interface Command {
  readonly command: string;
  readonly description: string;
}

const commands = (language: string, start: string, help: string): Command[] => [
  { command: 'start', description: start },
  { command: 'human', description: offerTexts(language).human },
  { command: 'help', description: help },
];

/** What the menu of the bot lists, by language; the first is for everybody else. */
export const commandLists: readonly { readonly language: string | null; readonly commands: Command[] }[] = [
  { language: null, commands: commands('en', 'Begin', 'What I can do') },
  { language: 'en', commands: commands('en', 'Begin', 'What I can do') },
  { language: 'de', commands: commands('de', 'Beginnen', 'Was ich kann') },
  { language: 'es', commands: commands('es', 'Empezar', 'Qué puedo hacer') },
  { language: 'fr', commands: commands('fr', 'Commencer', 'Ce que je sais faire') },
];
