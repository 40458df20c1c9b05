import {
  Activity,
  BookOpenText,
  Cable,
  ChartNoAxesColumn,
  House,
  type IconType,
  Inbox,
  Settings2,
  TextQuote,
} from '../icons.ts';

export interface Area {
  readonly id: 'home' | 'inbox' | 'answers' | 'knowledge' | 'channels' | 'insights' | 'settings';
  /** Below `/w/:workspace/`. */
  readonly path: string;
  /** The letter after G. */
  readonly letter: string;
  readonly icon: IconType;
  readonly permission: string;
}

/** The area of those who run the installation. It belongs to no workspace. */
export const operationsArea = {
  id: 'operations',
  path: '/operations',
  letter: 'o',
  icon: Activity,
  permission: 'operations:read',
} as const;

/** The areas that have screens, in the order of the rail. */
export const areas: readonly Area[] = [
  { id: 'home', path: 'home', letter: 'h', icon: House, permission: 'workspace:write' },
  { id: 'inbox', path: 'inbox', letter: 'i', icon: Inbox, permission: 'inbox:read' },
  { id: 'answers', path: 'answers', letter: 'a', icon: TextQuote, permission: 'inbox:read' },
  {
    id: 'knowledge',
    path: 'knowledge/documents',
    letter: 'k',
    icon: BookOpenText,
    permission: 'knowledge:read',
  },
  { id: 'channels', path: 'channels', letter: 'c', icon: Cable, permission: 'channels:read' },
  {
    id: 'insights',
    path: 'insights',
    letter: 'n',
    icon: ChartNoAxesColumn,
    permission: 'insights:read',
  },
  { id: 'settings', path: 'settings', letter: 's', icon: Settings2, permission: 'workspace:read' },
];
