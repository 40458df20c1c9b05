import type { Catalogue } from '../../texts/english.ts';

type Words = Catalogue['settings'];

export interface SettingsPage {
  readonly id: keyof Words['names'];
  /** The permission to see anything on it. */
  readonly permission: string;
}

interface SettingsGroup {
  readonly id: keyof Words['groups'];
  readonly pages: readonly SettingsPage[];
}

/** The page of each group of settings, as the server groups them. */
export const pagesOfGroups: Readonly<
  Record<string, 'general' | 'answers' | 'models' | 'hours' | 'identity'>
> = {
  general: 'general',
  public: 'general',
  answers: 'answers',
  models: 'models',
  hours: 'hours',
  identity: 'identity',
};

/** The pages of the settings in the order of their list; each is at `settings/<id>`. */
export const settingsGroups: readonly SettingsGroup[] = [
  {
    id: 'workspace',
    pages: [
      { id: 'general', permission: 'workspace:read' },
      { id: 'answers', permission: 'workspace:read' },
      { id: 'models', permission: 'workspace:write' },
      { id: 'hours', permission: 'workspace:read' },
      { id: 'skills', permission: 'developers:read' },
      { id: 'snippets', permission: 'inbox:read' },
      { id: 'tags', permission: 'inbox:read' },
    ],
  },
  {
    id: 'developers',
    pages: [
      { id: 'keys', permission: 'developers:read' },
      { id: 'webhooks', permission: 'developers:read' },
      { id: 'identity', permission: 'workspace:write' },
    ],
  },
  {
    id: 'team',
    pages: [
      { id: 'people', permission: 'people:read' },
      { id: 'sign-in', permission: 'people:write' },
      { id: 'audit', permission: 'audit:read' },
    ],
  },
  {
    id: 'plan',
    pages: [
      { id: 'usage', permission: 'usage:read' },
      { id: 'danger', permission: 'workspace:write' },
    ],
  },
];
