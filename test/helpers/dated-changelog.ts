interface Release {
  readonly version: string;
  /** ISO 8601, such as `2026-03-01`. */
  readonly date: string;
}

/**
 * Returns a changelog whose unreleased changes are those of a release, and the upgrade notes among them. Null if it has no
 * unreleased changes, or none of them are upgrade notes.
 */
export function datedChangelog(
  changelog: string,
  { version, date }: Release,
): { readonly text: string; readonly upgradeNotes: string } | null {
  const heading = '\n## Unreleased\n';
  const start = changelog.indexOf(heading);
  if (start === -1) return null;
  const rest = changelog.slice(start + heading.length);
  const [unreleased = ''] = rest.split(/^## /mu);
  const [, notes] = /^### Upgrade notes\n\n([\s\S]*?)(?=\n### |$(?![\s\S]))/mu.exec(unreleased) ?? [];
  if (notes === undefined) return null;
  return {
    text: `${changelog.slice(0, start)}\n## ${version}, ${date}\n${rest}`,
    upgradeNotes: notes.trim(),
  };
}
