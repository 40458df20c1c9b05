import { expect, test } from 'vitest';
import {
  workspaceSettingsChangeSchema,
  workspaceSettingsSchema,
} from '../../../core/workspaces/workspace-settings.ts';

const settings = Object.keys(workspaceSettingsSchema.shape);

test('every setting can be changed and cleared', () => {
  expect(Object.keys(workspaceSettingsChangeSchema.shape)).toEqual(settings);
  const cleared = Object.fromEntries(settings.map((name) => [name, null]));
  expect(workspaceSettingsChangeSchema.parse(cleared)).toEqual(cleared);
});

test('a setting that is not named is not in the change', () => {
  expect(workspaceSettingsChangeSchema.parse({ description: 'Help' })).toEqual({ description: 'Help' });
});
