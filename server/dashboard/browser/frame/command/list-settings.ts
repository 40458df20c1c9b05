import type { JsonSchema } from '../../parts/schema-form/json-schema.ts';
import { wordSchema } from '../../parts/schema-form/word-schema.ts';
import { pagesOfGroups } from '../../screens/settings/pages.ts';
import type { Catalogue } from '../../texts/english.ts';
import type { Command } from './command.ts';
import type { CommandWords } from './command-words.ts';

interface Options {
  readonly texts: Catalogue;
  readonly words: CommandWords;
  /** Whether the person may see the page that only those see who may change it. */
  readonly mayChange: boolean;
}

interface FoundSetting extends Pick<Command, 'id' | 'group' | 'label' | 'description' | 'keywords'> {
  /** The address below the workspace, which names the field to focus. */
  readonly path: string;
}

/** Each setting by its name in the person's language; it leads to its field. Pure. */
export function listSettings(
  schema: JsonSchema,
  { texts, words, mayChange }: Options,
): readonly FoundSetting[] {
  const { properties = {} } = wordSchema(schema, texts.fields);
  const group = 'settings' as const;
  const settings = Object.entries(properties).flatMap(([name, property]) => {
    const page = pagesOfGroups[String(Reflect.get(property, 'x-group'))];
    if (page === undefined || ((page === 'identity' || page === 'models') && !mayChange)) return [];
    return [
      {
        id: `setting-${name}`,
        group,
        label: property.title ?? name,
        description: words.settingsPage(texts.settings.names[page]),
        // People who know the API look for the name that it has there.
        keywords: `${name} ${name.replaceAll('_', ' ')} ${property.description ?? ''}`,
        path: `settings/${page}?field=${name}`,
      },
    ];
  });
  const name = {
    id: 'setting-name',
    group,
    label: words.workspaceName,
    description: words.settingsPage(texts.settings.names.general),
    path: 'settings/general?field=name',
  };
  return [name, ...settings];
}
