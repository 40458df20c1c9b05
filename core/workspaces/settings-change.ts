import { type PlanName, type WorkspaceSettings, workspaceSettingsSchema } from './workspace-settings.ts';

/** Changes to existing settings. Null clears a setting. */
export type SettingsChange = { readonly [Name in keyof WorkspaceSettings]: WorkspaceSettings[Name] | null };

interface Changeable {
  readonly name: string;
  readonly plan: PlanName;
  readonly settings: WorkspaceSettings;
}

/** Returns the names of the fields that differ, such as `settings.strictness`. */
export function changedFields(before: Changeable, after: Changeable): readonly string[] {
  const own = (['name', 'plan'] as const).filter((field) => before[field] !== after[field]);
  const names = Object.keys({ ...before.settings, ...after.settings });
  const text = (settings: WorkspaceSettings, name: string) => JSON.stringify(Reflect.get(settings, name));
  const settings = names.filter((name) => text(before.settings, name) !== text(after.settings, name));
  return [...own, ...settings.sort().map((name) => `settings.${name}`)];
}

/** Returns settings with a change of some. Null clears one. */
export function mergeSettings(current: WorkspaceSettings, change: SettingsChange): WorkspaceSettings {
  const merged = Object.entries({ ...current, ...change }).filter(([, value]) => value !== null);
  return workspaceSettingsSchema.parse(Object.fromEntries(merged));
}
