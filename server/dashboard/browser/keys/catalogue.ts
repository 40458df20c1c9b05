import { areas } from '../frame/areas.ts';
import { keyId, listKeys } from '../screens/inbox/list/list-keys.ts';
import type { Catalogue } from '../texts/english.ts';

/** An action whose keys a person can change, by the id under which a screen offers it. */
interface ChangeableKey {
  readonly id: string;
  readonly name: string;
  /** Unless the person chose others. */
  readonly keys: string;
}

interface KeyGroup {
  readonly name: string;
  readonly keys: readonly ChangeableKey[];
}

/** All actions with keys, for the profile: the screens that offer them are not open there. */
export function keyCatalogue(texts: Catalogue): readonly KeyGroup[] {
  const { frame, inbox, knowledge, channels } = texts;
  return [
    {
      name: frame.keys.everywhere,
      keys: [
        { id: 'command', name: frame.command.title, keys: 'mod+k' },
        { id: 'keys', name: frame.keys.showKeys, keys: '?' },
        { id: 'undo', name: frame.keys.undo, keys: 'z' },
        { id: 'switch-workspace', name: frame.switchWorkspace, keys: 'g w' },
        ...areas.map(({ id, letter }) => ({
          id: `go-${id}`,
          name: `${frame.command.goTo}: ${frame.areas[id]}`,
          keys: `g ${letter}`,
        })),
      ],
    },
    {
      name: frame.areas.inbox,
      keys: listKeys.map(({ name, keys }) => ({
        id: keyId(name),
        name: name === 'search' ? inbox.search : inbox.actions[name],
        keys,
      })),
    },
    {
      name: frame.areas.knowledge,
      keys: [
        { id: 'documents-search', name: knowledge.keys.search, keys: '/' },
        { id: 'documents-add', name: knowledge.keys.add, keys: 'n' },
        { id: 'documents-pick', name: knowledge.keys.pick, keys: 'x' },
        { id: 'documents-delete', name: knowledge.keys.delete, keys: 'Delete' },
      ],
    },
    { name: frame.areas.channels, keys: [{ id: 'channels.add', name: channels.add, keys: 'c' }] },
  ];
}
