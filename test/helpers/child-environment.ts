/** What a program started by a test always gets. */
export function childEnvironment(): Readonly<Record<string, string | undefined>> {
  return { PATH: process.env.PATH };
}
