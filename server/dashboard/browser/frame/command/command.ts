import type { ReactNode } from 'react';

/** The groups of the command menu, in its order while nothing is typed. */
export const groupIds = [
  'latest',
  'goTo',
  'here',
  'doIt',
  'settings',
  'documents',
  'conversations',
  'visitors',
  'people',
  'channels',
  'developers',
  'workspaces',
] as const;

export type GroupId = (typeof groupIds)[number];

/** One entry of the command menu. It leads to an address or does something. */
export interface Command {
  readonly id: string;
  readonly group: GroupId;
  readonly label: string;
  readonly icon: ReactNode;
  readonly description?: string | undefined;
  /** Further words that find it. */
  readonly keywords?: string | undefined;
  /** The keys that do the same, as the registry writes them. */
  readonly keys?: string | undefined;
  /** A figure at its end, such as waiting conversations. */
  readonly count?: string | undefined;
  /** The address below `/dashboard`, which also opens in a new tab. */
  readonly to?: string;
  readonly run?: () => void;
  /** The server found it by the typed words: it is listed whatever its own words are. */
  readonly isFound?: boolean;
}

/** A group as it is shown: its best entries, and how many there are. */
export interface CommandGroup {
  readonly id: GroupId;
  readonly commands: readonly Command[];
  readonly total: number;
}
