interface Command {
  readonly command: string;
  readonly description: string;
}

const commands = (start: string, human: string, help: string): Command[] => [
  { command: 'start', description: start },
  { command: 'human', description: human },
  { command: 'help', description: help },
];

/** What the menu of the bot lists, by language; the first is for everybody else. */
export const commandLists: readonly { readonly language: string | null; readonly commands: Command[] }[] = [
  { language: null, commands: commands('Begin', 'Talk to a person', 'What I can do') },
  { language: 'en', commands: commands('Begin', 'Talk to a person', 'What I can do') },
  { language: 'de', commands: commands('Beginnen', 'Mit einem Menschen sprechen', 'Was ich kann') },
  { language: 'es', commands: commands('Empezar', 'Hablar con una persona', 'Qué puedo hacer') },
  { language: 'fr', commands: commands('Commencer', 'Parler à une personne', 'Ce que je sais faire') },
];
