import { BookOpenText, Cable, type IconType, Inbox, Settings2 } from '../icons.ts';

export interface Area {
  readonly id: 'inbox' | 'knowledge' | 'channels' | 'settings';
  /** Below `/w/:workspace/`. */
  readonly path: string;
  /** The letter after G. */
  readonly letter: string;
  readonly icon: IconType;
  readonly permission: string;
}

/** The areas that have screens, in the order of the rail. */
export const areas: readonly Area[] = [
  { id: 'inbox', path: 'inbox', letter: 'i', icon: Inbox, permission: 'inbox:read' },
  {
    id: 'knowledge',
    path: 'knowledge/documents',
    letter: 'k',
    icon: BookOpenText,
    permission: 'knowledge:read',
  },
  { id: 'channels', path: 'channels', letter: 'c', icon: Cable, permission: 'channels:read' },
  { id: 'settings', path: 'settings', letter: 's', icon: Settings2, permission: 'workspace:read' },
];
